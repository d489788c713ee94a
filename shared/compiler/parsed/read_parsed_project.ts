/**
 * Checks that JSON is a consistent parsed project: the place of every value is in one of its files, and every range in its text
 * (contract 4.8). Refuses the first violation.
 */
import { z } from "zod";
import { jsonFaultOf, pointerTo } from "../../lib/json.ts";
import { isCodePath, readPath } from "../phases/1-read/layout.ts";
import { NESTING_MAX } from "../phases/2-parse/nesting.ts";
import { isAuthoredPath } from "../phases/3-evaluate/texts.ts";
import { partsOf, type TextRange, type Value } from "../phases/values.ts";
import type { ParsedCode, ParsedDefinition, ParsedProject } from "./parsed_project.ts";
import { PARSED_VERSION } from "./parsed_project.ts";

export type ParsedReading =
  | { readonly kind: "parsed"; readonly project: ParsedProject }
  /** A fault of the project; `pointer` is a JSON pointer into it. */
  | { readonly kind: "fault"; readonly pointer: string; readonly message: string };

/** Limit of the depth of JSON. An object in an object is three levels of JSON: the entry, its list, the value. */
const DEPTH_MAX = 3 * NESTING_MAX;

export function readParsedProject(value: unknown): ParsedReading {
  const unsafe = jsonFaultOf(value, { depthMax: DEPTH_MAX });
  if (unsafe !== null) {
    return { kind: "fault", pointer: pointerTo(...unsafe.path), message: unsafe.message };
  }
  const read = PARSED_PROJECT.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      kind: "fault",
      pointer: pointerTo(...(issue?.path ?? []).map(String)),
      message: (issue?.message ?? "Is no parsed project").slice(0, MESSAGE_MAX),
    };
  }
  const fault = consistencyFault(read.data);
  return fault === null ? { kind: "parsed", project: read.data } : { kind: "fault", ...fault };
}

const MESSAGE_MAX = 200;

const position = z.int().min(1);
const place = z.strictObject({
  file: z.string(),
  line: position,
  column: position,
  length: position,
});

/** Schema of a value. It is recursive; callers have limited the depth. */
const value: z.ZodType<Value> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("string"), value: z.string(), place }),
    z.strictObject({ kind: z.literal("number"), value: z.number(), place }),
    z.strictObject({ kind: z.literal("boolean"), value: z.boolean(), place }),
    z.strictObject({ kind: z.literal("null"), place }),
    z.strictObject({ kind: z.literal("regex"), source: z.string(), flags: z.string(), place }),
    z.strictObject({ kind: z.literal("array"), items: z.array(value), place }),
    z.strictObject({ kind: z.literal("object"), entries: z.array(entry), place }),
    z.strictObject({
      kind: z.literal("call"),
      callee: z.string(),
      module: z.string(),
      args: z.array(value),
      chain: z.array(z.strictObject({ name: z.string(), args: z.array(value), place })),
      place,
    }),
    z.strictObject({
      kind: z.literal("reference"),
      target: z.strictObject({ file: z.string(), name: z.string() }),
      members: z.array(z.string()),
      place,
    }),
    z.strictObject({ kind: z.literal("thunk"), value, place }),
    z.strictObject({ kind: z.literal("function"), text: z.string(), place }),
    z.strictObject({
      kind: z.literal("unreadable"),
      construct: z.string(),
      text: z.string(),
      place,
    }),
  ])
);

const entry = z.strictObject({
  key: z.string(),
  keyPlace: place,
  value,
  doc: z.string().min(1).exactOptional(),
});

const definition = z.strictObject({
  bindings: z.array(z.strictObject({ name: z.string(), value })),
  defaultExport: z.nullable(value),
  docs: z.record(z.string(), z.string().min(1)).exactOptional(),
});

const offset = z.int().min(0);
const range = z.strictObject({ start: offset, end: offset });

/** Schema of an import's target. `missing` is absent, because a project that imports it has an error. */
const target = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("file"), file: z.string() }),
  z.strictObject({ kind: z.literal("schema"), feature: z.string() }),
  z.strictObject({ kind: z.literal("authoring") }),
  z.strictObject({ kind: z.literal("package"), name: z.string() }),
]);

/** Schema of identifiers, which are written into generated modules unchanged. */
const identifier = z.string().regex(/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u);

const binding = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("statement"), range }),
  z.strictObject({ kind: z.literal("constant"), name: identifier }),
  z.strictObject({ kind: z.literal("default") }),
  z.strictObject({ kind: z.literal("elsewhere") }),
]);

const code = z.strictObject({
  imports: z.array(z.strictObject({ range, place, target })),
  exports: z.array(identifier),
  locals: z.array(identifier),
  tableCalls: z.array(range),
  rawSql: z.array(
    z.strictObject({ construct: z.string(), place, member: z.nullable(z.string()) }),
  ),
  webhookEvents: z.array(z.strictObject({ place, on: z.nullable(value), binding })),
  emitted: z.array(z.string()),
  symbols: z.array(z.string()),
  namesRecords: z.boolean().optional(),
});

const construct = z.string();
const authored = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("defined"),
    callee: z.string(),
    value: z.nullable(value),
    place,
  }),
  z.strictObject({ kind: z.literal("function"), place }),
  z.strictObject({ kind: z.literal("object"), value, place }),
  z.strictObject({ kind: z.literal("call"), construct, place }),
  z.strictObject({ kind: z.literal("other"), construct, place }),
]);

const PARSED_PROJECT: z.ZodType<ParsedProject> = z.strictObject({
  version: z.literal(PARSED_VERSION),
  files: z.record(z.string(), z.string()),
  definitions: z.record(z.string(), definition),
  code: z.record(z.string(), code),
  authored: z.record(z.string(), z.nullable(authored)),
});

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/**
 * Returns the first inconsistency of texts, places, ranges and paths; null: there is none. Phase 1 reports paths that no
 * project may have.
 */
function consistencyFault(project: ParsedProject): Fault | null {
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
  {
    name: "definitions",
    has: (path) => ["config", "table", "action"].includes(readPath(path).role?.kind ?? ""),
    fault(path, { definitions, files }) {
      const { bindings, defaultExport }: ParsedDefinition = definitions[path] ?? NOTHING;
      const names = new Set(bindings.map(({ name }) => name));
      if (names.size < bindings.length) return "Must not have two bindings of one name";
      const values = bindings.map(({ value }) => value);
      return valuesFault(defaultExport === null ? values : [...values, defaultExport], files);
    },
  },
  {
    name: "code",
    has: isCode,
    fault(path, { code, files }) {
      const file = code[path];
      const text = files[path];
      if (file === undefined || text === undefined) return null;
      const statements = file.webhookEvents.flatMap(({ binding }) =>
        binding.kind === "statement" ? [binding.range] : []
      );
      return filesFault([
        ...[...file.imports, ...file.rawSql, ...file.webhookEvents].map(({ place }) => place.file),
        ...file.imports.flatMap(({ target }) => target.kind === "file" ? [target.file] : []),
      ], files) ??
        valuesFault(file.webhookEvents.flatMap(({ on }) => on === null ? [] : [on]), files) ??
        specifiersFault(file, text) ?? rangesFault(file.tableCalls, text) ??
        rangesFault(statements, text);
    },
  },
  {
    name: "authored",
    has: (path) => isCode(path) && isAuthoredPath(path),
    fault(path, { authored, files }) {
      const exported = authored[path] ?? null;
      if (exported === null) return null;
      const value = "value" in exported ? exported.value : null;
      return filesFault([exported.place.file], files) ??
        valuesFault(value === null ? [] : [value], files);
    },
  },
];

/** Finds a file without its entry, which would be read as an empty file. */
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

function isCode(path: string): boolean {
  const { role } = readPath(path);
  return role !== null && role.kind !== "config" && isCodePath(path, role);
}

const NOTHING: ParsedDefinition = { bindings: [], defaultExport: null };

/** Finds a value that names a missing file, without recursion. */
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

/** Checks that the ranges are inside the text and do not overlap, so that replacing them changes nothing else. */
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
