/** Checks that the parts of a parsed project agree: texts, places, ranges and paths (contract 4.8). */
import { pointerTo } from "../../lib/json.ts";
import { isCodePath, readPath } from "../phases/1-read/layout.ts";
import { isAuthoredPath } from "../phases/3-evaluate/texts.ts";
import { partsOf, type TextRange, type Value } from "../phases/values.ts";
import type { ParsedCode, ParsedDefinition, ParsedProject } from "./parsed_project.ts";

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** The first disagreement, or null. Paths that no project has are for phase 1 to report. */
export function consistencyFault(project: ParsedProject): Fault | null {
  for (const part of PARTS) {
    const fault = membersFault(part, project) ?? contentsFault(part, project);
    if (fault !== null) return fault;
  }
  return null;
}

type PartName = "definitions" | "code" | "authored";

interface Part {
  readonly name: PartName;
  /** True for the paths of files that need an entry in this part. */
  readonly has: (path: string) => boolean;
  readonly fault: (path: string, project: ParsedProject) => string | null;
}

const PARTS: readonly Part[] = [
  { name: "definitions", has: isDefinition, fault: definitionFault },
  { name: "code", has: isCode, fault: codeFault },
  { name: "authored", has: (path) => isCode(path) && isAuthoredPath(path), fault: authoredFault },
];

/** A file without its entry would be an empty one. */
function membersFault({ name, has }: Part, project: ParsedProject): Fault | null {
  const entries = project[name];
  const missing = Object.keys(project.files)
    .find((path) => has(path) && !Object.hasOwn(entries, path));
  if (missing !== undefined) return faultAt(name, missing, "Is missing: 'files' has the file");
  const stray = Object.keys(entries)
    .find((path) => !has(path) || !Object.hasOwn(project.files, path));
  return stray === undefined ? null : faultAt(name, stray, "Stands for no such file of 'files'");
}

function contentsFault({ name, fault }: Part, project: ParsedProject): Fault | null {
  for (const path of Object.keys(project[name])) {
    const message = fault(path, project);
    if (message !== null) return faultAt(name, path, message);
  }
  return null;
}

function faultAt(part: PartName, path: string, message: string): Fault {
  return { pointer: pointerTo(part, path), message };
}

function isDefinition(path: string): boolean {
  return ["config", "table", "action"].includes(readPath(path).role?.kind ?? "");
}

function isCode(path: string): boolean {
  const { role } = readPath(path);
  return role !== null && role.kind !== "config" && isCodePath(path, role);
}

function definitionFault(path: string, { definitions, files }: ParsedProject): string | null {
  const { bindings, defaultExport }: ParsedDefinition = definitions[path] ?? NOTHING;
  const names = new Set(bindings.map(({ name }) => name));
  if (names.size < bindings.length) return "Must not have two bindings of one name";
  const values = bindings.map(({ value }) => value);
  return valuesFault(defaultExport === null ? values : [...values, defaultExport], files);
}

const NOTHING: ParsedDefinition = { bindings: [], defaultExport: null };

function authoredFault(path: string, { authored, files }: ParsedProject): string | null {
  const exported = authored[path] ?? null;
  if (exported === null) return null;
  const value = "value" in exported ? exported.value : null;
  return filesFault([exported.place.file], files) ??
    valuesFault(value === null ? [] : [value], files);
}

function codeFault(path: string, { code, files }: ParsedProject): string | null {
  const file = code[path];
  const text = files[path];
  if (file === undefined || text === undefined) return null;
  const statements = file.webhookEvents.flatMap(({ binding }) =>
    binding.kind === "statement" ? [binding.range] : []
  );
  return filesFault(filesOfCode(file), files) ??
    valuesFault(file.webhookEvents.flatMap(({ on }) => on === null ? [] : [on]), files) ??
    specifiersFault(file, text) ?? rangesFault(file.tableCalls, text) ??
    rangesFault(statements, text);
}

function filesOfCode({ imports, rawSql, webhookEvents }: ParsedCode): readonly string[] {
  return [
    ...[...imports, ...rawSql, ...webhookEvents].map(({ place }) => place.file),
    ...imports.flatMap(({ target }) => target.kind === "file" ? [target.file] : []),
  ];
}

/** Every file that the values name is there. Without recursion. */
function valuesFault(values: readonly Value[], files: ParsedProject["files"]): string | null {
  const pending = [...values];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const fault = filesFault(filesNamedBy(value), files);
    if (fault !== null) return fault;
    pending.push(...partsOf(value));
  }
  return null;
}

function filesFault(named: readonly string[], files: ParsedProject["files"]): string | null {
  const stray = named.find((file) => !Object.hasOwn(files, file));
  if (stray === undefined) return null;
  return `Must not name a file that is not there: ${JSON.stringify(stray.slice(0, 80))}`;
}

function filesNamedBy(value: Value): readonly string[] {
  const { place: { file } } = value;
  switch (value.kind) {
    case "object":
      return [file, ...value.entries.map(({ keyPlace }) => keyPlace.file)];
    case "call":
      return [file, ...value.chain.map(({ place }) => place.file)];
    case "reference":
      return [file, value.target.file];
    default:
      return [file];
  }
}

function specifiersFault({ imports }: ParsedCode, text: string): string | null {
  const ranges = imports.map(({ range }) => range);
  const isQuoted = ranges.every(({ start, end }) => QUOTED.test(text.slice(start, end)));
  return isQuoted ? rangesFault(ranges, text) : "Must have imports whose ranges are specifiers";
}

const QUOTED = /^(["'])[^\n]*\1$/;

/** In the text and apart, so that replacing them leaves everything else as it is. */
function rangesFault(ranges: readonly TextRange[], text: string): string | null {
  let end = 0;
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    if (range.start < end || range.end < range.start || range.end > text.length) {
      return "Must have ranges in the file's text that do not overlap";
    }
    end = range.end;
  }
  return null;
}
