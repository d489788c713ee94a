/**
 * The body of `POST /compile` (contract 4.8, definitions 7): the project's files by path, or a parsed project. The compiler
 * decides which paths are valid. Refuses with `INVALID_JSON`, `COMPILE_INPUT_INVALID` and `PAYLOAD_TOO_LARGE`.
 */
import { isJsonObject, jsonFaultOf, parsedJson, pointerTo } from "../../lib/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { readParsedProject } from "../../compiler/front.ts";
import type { RawFiles } from "../../compiler/mod.ts";
import type { CompileInput } from "../compile/compile_event.ts";
import { COMPILE_FILE_MAX_BYTES, COMPILE_FILES_MAX } from "../limits.ts";
import { ServiceRefusal } from "../refusal.ts";
import { COMPILE_MEMBERS } from "./compile_options.ts";

export function readCompileInput(text: string): CompileInput {
  const body = parsedObject(text);
  const unknown = Object.keys(body).find((key) => !COMPILE_MEMBERS.includes(key));
  if (unknown !== undefined) throw unknownMember(unknown);
  const { actionInputSchemas: schemas, vendor } = body;
  if (vendor !== undefined && typeof vendor !== "boolean") {
    throw invalid("/vendor", "'vendor' must be true or false");
  }
  return {
    ...(Object.hasOwn(body, "input") ? readParsed(body) : { files: readFiles(body.rawFiles) }),
    actionInputSchemas: schemas === undefined ? {} : readSchemas(schemas),
    ...(vendor === undefined ? {} : { vendor }),
  };
}

/** Reads a project that the client has parsed. It replaces the files, and cannot stand beside them. */
function readParsed({ input, rawFiles }: Members): Pick<CompileInput, "files" | "parsed"> {
  if (rawFiles !== undefined) throw invalid("/input", "Send 'rawFiles' or 'input', not both");
  if (!isJsonObject(input)) throw invalid("/input", "'input' must be a parsed project");
  const files = readFiles(input.files, "/input/files");
  const reading = readParsedProject(input);
  if (reading.kind === "parsed") return { files, parsed: reading.project };
  const pointer = `/input${reading.pointer}`.slice(0, POINTER_MAX).toWellFormed();
  throw invalid(pointer, `'input' is no parsed project: ${reading.message}`);
}

const POINTER_MAX = 400;

type Members = Readonly<Record<string, unknown>>;

function parsedObject(text: string): Members {
  const value = parsedJson(text);
  if (value === undefined) {
    throw new ServiceRefusal("INVALID_JSON", {
      detail: "The body is not valid JSON",
      hint: 'Send {"rawFiles": {"<path>": "<text>"}}',
    });
  }
  if (isJsonObject(value)) return value;
  throw invalid("", "The body must be a JSON object with 'rawFiles' or 'input'");
}

function readFiles(value: unknown, at = "/rawFiles"): RawFiles {
  const name = at.slice(1).replaceAll("/", ".");
  if (!isJsonObject(value)) throw invalid(at, `'${name}' must map paths to file texts`);
  const paths = Object.keys(value);
  if (paths.length > COMPILE_FILES_MAX) {
    const detail = `'${name}' has ${paths.length} files, at most ${COMPILE_FILES_MAX} are taken`;
    throw tooLarge(detail, at);
  }
  const files: Record<string, string> = Object.create(null);
  for (const path of paths) {
    const pointer = at + pointerTo(path).slice(0, 200).toWellFormed();
    const text = value[path];
    if (typeof text !== "string") throw invalid(pointer, "A file's text must be a string");
    if (!text.isWellFormed() || !path.isWellFormed()) {
      throw invalid(pointer, "A file's path and text must be well-formed Unicode");
    }
    if (isLongerThan(COMPILE_FILE_MAX_BYTES, text)) {
      throw tooLarge(`A file is larger than ${COMPILE_FILE_MAX_BYTES} bytes`, pointer);
    }
    files[path] = text;
  }
  return files;
}

/** True for a text of more UTF-8 bytes. The length decides for most texts. */
function isLongerThan(bytes: number, text: string): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).byteLength > bytes;
}

function readSchemas(value: unknown): Members {
  const pointer = "/actionInputSchemas";
  if (!isJsonObject(value)) {
    throw invalid(pointer, "'actionInputSchemas' must map actions to schemas");
  }
  const fault = jsonFaultOf(value);
  if (fault !== null) {
    throw invalid(pointer + pointerTo(...fault.path).slice(0, 200).toWellFormed(), fault.message);
  }
  return value;
}

function unknownMember(key: string): ServiceRefusal {
  const suggestion = nearest(key, COMPILE_MEMBERS);
  const shown = key.slice(0, 80).toWellFormed();
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail: `The body has an unknown member ${JSON.stringify(shown)}`,
    pointer: pointerTo(shown),
    hint: suggestion === null
      ? "The body has 'rawFiles' or 'input', and may have 'actionInputSchemas' and 'vendor'"
      : `Did you mean "${suggestion}"?`,
  });
}

function invalid(pointer: string, detail: string): ServiceRefusal {
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail,
    pointer,
  });
}

function tooLarge(detail: string, pointer: string): ServiceRefusal {
  return new ServiceRefusal("PAYLOAD_TOO_LARGE", {
    detail,
    pointer,
    hint: "Send at most 2,000 files of at most 512 KiB each",
  });
}
