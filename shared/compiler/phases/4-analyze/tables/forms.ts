/** Turns the three spellings of a table file into one (definitions 1). */
import { TABLE_OPTIONS } from "../../../../definition_language/columns.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Definition, Value } from "../../values.ts";
import { type At, read, readFields } from "../read/mod.ts";

type Call = Value & { readonly kind: "call" };

/** A table as its file defines it, before any part is read. */
export interface TableSource {
  readonly name: Value;
  readonly columns: Value;
  /** Options of `defineTable` or `feature`; null: the table is internal. */
  readonly options: Value | null;
  /** Place of `exception: true` of the table itself, which declares that its rows have no owner. */
  readonly exception: Place | null;
  readonly form: "feature" | "table";
  /** First paragraph of the doc comment before the table; null: there is none. */
  readonly doc: string | null;
  readonly place: Place;
}

const TABLE_BUILDERS = ["q.table", "sqliteTable"];

/** Returns the one table of a file; null when there is none, or it is wrong, which is reported. */
export function tableSource(definition: Definition, at: At): TableSource | null {
  const exported = definition.defaultExport && inlined(definition.defaultExport, definition);
  const calls = distinct([
    ...[...definition.bindings.values()].filter(isCall),
    ...(exported && isCall(exported) ? [exported, ...exported.args.filter(isCall)] : []),
  ]);
  const tables = calls.filter((call) => isTable(call));
  const resources = calls.filter((call) => ["feature", "defineTable"].includes(call.callee));
  if (reportSecond(tables, at) || reportSecond(resources, at)) return null;
  if (exported?.kind === "unreadable") return null;
  const [resource] = resources;
  if (resource && resource !== exported && !samePlace(resource, exported)) {
    at.report.add("RESOURCE_NOT_EXPORTED", resource.place, { callee: resource.callee });
    return null;
  }
  const [table] = tables;
  const source = resource
    ? fromResource(resource, definition, at)
    : table
    ? fromTable(table, at)
    : null;
  if (source) {
    const declared = [...definition.bindings].find(([, value]) =>
      [resource, table].some((one) => one && samePlace(one, value))
    );
    const docs = definition.docs;
    return { ...source, doc: docs?.get("default") ?? docs?.get(declared?.[0] ?? "") ?? null };
  }
  if (resource || table) return null;
  const values = [...definition.bindings.values(), ...[definition.defaultExport ?? []].flat()];
  if (!values.some((value) => value.kind === "unreadable")) {
    const place = { file: definition.file, line: 1, column: 1, length: 1 };
    at.report.add("TABLE_MISSING", place, { file: definition.file });
  }
  return null;
}

function fromResource(call: Call, definition: Definition, at: At): TableSource | null {
  if (call.callee === "feature") return fromFeature(call, at);
  const [tableValue, options, ...rest] = call.args;
  const table = tableValue && inlined(tableValue, definition);
  if (table?.kind === "unreadable") return null;
  if (!table || !isCall(table) || !isTable(table) || !options || rest.length > 0) {
    const expected = "defineTable(table, { … }) with a table of this file";
    at.report.add("ARGUMENTS", call.place, { callee: "defineTable", expected });
    return null;
  }
  const source = fromTable(table, at);
  if (source === null) return null;
  // `defineTable(table, { exception: true })` makes no routes.
  if (
    options.kind === "object" && options.entries.length === 1 &&
    options.entries[0]?.key === "exception"
  ) {
    return { ...source, exception: readException(options, at) ?? source.exception };
  }
  return { ...source, options, place: call.place };
}

function readException(options: Value, { report }: At): Place | null {
  const fields = readFields(options, TABLE_OPTIONS, { path: "table options", report });
  const said = fields && read(fields, "exception");
  return said ? fields?.entries.get("exception")?.keyPlace ?? null : null;
}

function fromFeature(call: Call, at: At): TableSource | null {
  const [name, options, ...rest] = call.args;
  if (!name || !options || rest.length > 0 || hasChain(call, at)) {
    const expected = "feature(name, { columns, … })";
    at.report.add("ARGUMENTS", call.place, { callee: "feature", expected });
    return null;
  }
  const columns = options.kind === "object"
    ? options.entries.find((entry) => entry.key === "columns")?.value
    : undefined;
  const none: Value = { kind: "unreadable", construct: "columns", text: "", place: options.place };
  if (options.kind === "object" && !columns) {
    at.report.add("KEY_MISSING", name.place, { key: "columns", owner: "feature()" });
  }
  return {
    name,
    columns: columns ?? none,
    options,
    exception: null,
    form: "feature",
    doc: null,
    place: call.place,
  };
}

function fromTable(call: Call, at: At): TableSource | null {
  const [name, columns, extras] = call.args;
  if (!name || !columns || hasChain(call, at)) {
    const expected = `${call.callee}(name, { columns })`;
    at.report.add("ARGUMENTS", call.place, { callee: call.callee, expected });
    return null;
  }
  return {
    name,
    columns,
    options: null,
    exception: extras ? readExtras(call, extras, at) : null,
    form: "table",
    doc: null,
    place: call.place,
  };
}

/** Reads the third argument of drizzle's table function. */
function readExtras({ callee }: Call, extras: Value, at: At): Place | null {
  if (callee === "q.table" && extras.kind === "object") return readException(extras, at);
  at.report.add("TABLE_EXTRAS", extras.place, { callee });
  return null;
}

function hasChain(call: Call, at: At): boolean {
  const [link] = call.chain;
  if (link) {
    const owner = `${call.callee}()`;
    const nothing = { nearest: null, known: [], form: "Remove it: modifiers stand on columns" };
    at.report.add("MODIFIER_UNKNOWN", link.place, { modifier: link.name, owner, ...nothing });
  }
  return false;
}

function isCall(value: Value): value is Call {
  return value.kind === "call";
}

function isTable(call: Call): boolean {
  return call.callee === "feature" || TABLE_BUILDERS.includes(call.callee);
}

/** Replaces a reference to a constant of the same file by the constant's value. */
function inlined(value: Value, definition: Definition): Value {
  if (value.kind !== "reference" || value.target.file !== definition.file) return value;
  if (value.members.length > 0 || value.target.name === "default") return value;
  return definition.bindings.get(value.target.name) ?? value;
}

function distinct(calls: readonly Call[]): readonly Call[] {
  return calls.filter((call, index) =>
    calls.findIndex((other) => samePlace(call, other)) === index
  );
}

function samePlace(a: Value, b: Value | null | undefined): boolean {
  return b !== null && b !== undefined && a.place.line === b.place.line &&
    a.place.column === b.place.column;
}

function reportSecond(calls: readonly Call[], at: At): boolean {
  const [, second] = calls;
  if (second) at.report.add("SEVERAL_TABLES", second.place, { callee: second.callee });
  return second !== undefined;
}
