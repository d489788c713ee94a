/**
 * The body of `POST /compile` (contract 4.8, definitions 7): the project's files by path. Which paths a project may have
 * is the compiler's to say. Refuses with `INVALID_JSON`, `COMPILE_INPUT_INVALID` and `PAYLOAD_TOO_LARGE`.
 */
import { escapedToken, jsonFaultOf } from "../../lib/json_faults.ts";
import { nearest } from "../../lib/nearest.ts";
import type { RawFiles } from "../../compiler/mod.ts";
import type { CompileInput } from "../compile/compile_event.ts";
import { COMPILE_FILE_MAX_BYTES, COMPILE_FILES_MAX } from "../limits.ts";
import { ServiceRefusal } from "../refusal.ts";

const MEMBERS = ["rawFiles", "actionInputSchemas", "input"];

export function readCompileInput(text: string): CompileInput {
  const body = parsedObject(text);
  const unknown = Object.keys(body).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw unknownMember(unknown);
  if (Object.hasOwn(body, "input")) throw inputRefused();
  const actionInputSchemas = body.actionInputSchemas;
  return {
    files: readFiles(body.rawFiles),
    actionInputSchemas: actionInputSchemas === undefined ? {} : readSchemas(actionInputSchemas),
  };
}

type Members = Readonly<Record<string, unknown>>;

function parsedObject(text: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceRefusal("INVALID_JSON", {
      detail: "The body is not valid JSON",
      hint: 'Send {"rawFiles": {"<path>": "<text>"}}',
    });
  }
  if (isObject(value)) return value;
  throw invalid("", "The body must be a JSON object with 'rawFiles'");
}

function readFiles(value: unknown): RawFiles {
  if (!isObject(value)) throw invalid("/rawFiles", "'rawFiles' must map paths to file texts");
  const paths = Object.keys(value);
  if (paths.length > COMPILE_FILES_MAX) {
    throw tooLarge(`'rawFiles' has ${paths.length} files, at most ${COMPILE_FILES_MAX} are taken`);
  }
  const files: Record<string, string> = Object.create(null);
  for (const path of paths) files[path] = readText(path, value[path]);
  return files;
}

function readText(path: string, text: unknown): string {
  const pointer = `/rawFiles/${escapedToken(path).slice(0, 200).toWellFormed()}`;
  if (typeof text !== "string") throw invalid(pointer, "A file's text must be a string");
  if (!text.isWellFormed() || !path.isWellFormed()) {
    throw invalid(pointer, "A file's path and text must be well-formed Unicode");
  }
  if (isLongerThan(COMPILE_FILE_MAX_BYTES, text)) {
    throw tooLarge(`A file is larger than ${COMPILE_FILE_MAX_BYTES} bytes`, pointer);
  }
  return text;
}

/** In UTF-8; most texts are decided by their length. */
function isLongerThan(bytes: number, text: string): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).byteLength > bytes;
}

function readSchemas(value: unknown): Members {
  const pointer = "/actionInputSchemas";
  if (!isObject(value)) throw invalid(pointer, "'actionInputSchemas' must map actions to schemas");
  const fault = jsonFaultOf(value);
  if (fault !== null) throw invalid(pointer + fault.pointer.slice(0, 200), fault.message);
  return value;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inputRefused(): ServiceRefusal {
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail: "'input' is not taken: a parsed project has no places to report mistakes at",
    pointer: "/input",
    hint: "Send the project's files as 'rawFiles'",
  });
}

function unknownMember(key: string): ServiceRefusal {
  const suggestion = nearest(key, MEMBERS);
  const shown = key.slice(0, 80).toWellFormed();
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail: `The body has an unknown member ${JSON.stringify(shown)}`,
    pointer: `/${escapedToken(shown)}`,
    hint: suggestion === null
      ? "The body has 'rawFiles' and, where there are actions, 'actionInputSchemas'"
      : `Did you mean "${suggestion}"?`,
  });
}

function invalid(pointer: string, detail: string): ServiceRefusal {
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail,
    pointer,
    hint: 'Send {"rawFiles": {"<path>": "<text>"}}',
  });
}

function tooLarge(detail: string, pointer = "/rawFiles"): ServiceRefusal {
  return new ServiceRefusal("PAYLOAD_TOO_LARGE", {
    detail,
    pointer,
    hint: "Send at most 2,000 files of at most 512 KiB each",
  });
}
