/** Reads the columns of one table: builder, modifiers, names, defaults (definitions 3). */
import { DEFINITION_NAME, isReservedColumn } from "../../../../surface/mod.ts";
import { holdsFiles, rulesOf, valuesOf } from "../../../../column_types/mod.ts";
import { SYSTEM_FIELDS } from "../../../../contract/mod.ts";
import type { CallLink, ObjectEntry, Value } from "../../values.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { BUILDER_FORMS, formFor, MODIFIER_FORMS } from "../read/other_words.ts";
import { type At, below, wrongType } from "../read/reader.ts";
import { DRIZZLE_BUILDERS, Q_BUILDERS } from "./builders.ts";
import type { Builder } from "./builder_arguments.ts";
import { readColumnDefault } from "./operands.ts";
import { type ColumnDraft, impliedColumn } from "./draft.ts";
import { DRIZZLE_MODIFIERS, isOutOfPlace, type Modifier, Q_MODIFIERS } from "./modifiers.ts";

interface Notation {
  readonly builders: ReadonlyMap<string, Builder>;
  readonly modifiers: ReadonlyMap<string, Modifier>;
}

const Q: Notation = { builders: Q_BUILDERS, modifiers: Q_MODIFIERS };
const DRIZZLE: Notation = { builders: DRIZZLE_BUILDERS, modifiers: DRIZZLE_MODIFIERS };

/** Returns the columns; null when the object as a whole cannot be read. */
export function readColumns(value: Value, at: At): readonly ColumnDraft[] | null {
  if (value.kind !== "object") return wrongType(value, "an object of columns", at) ?? null;
  return value.entries.map((entry) => readColumn(entry, below(at, entry.key)));
}

function readColumn(entry: ObjectEntry, at: At): ColumnDraft {
  const broken = impliedColumn(entry.key, entry.keyPlace, { type: null, manager: "client" });
  if (!DEFINITION_NAME.test(entry.key) || isReservedColumn(entry.key)) {
    at.report.add("COLUMN_NAME", entry.keyPlace, { column: entry.key });
    return broken;
  }
  const { value } = entry;
  if (value.kind !== "call") {
    wrongType(value, "a column such as q.text()", at);
    return broken;
  }
  const notation = value.module.startsWith("drizzle-orm") ? DRIZZLE : Q;
  const builder = notation.builders.get(value.callee);
  if (!builder) {
    const known = [...notation.builders.keys()];
    at.report.add("COLUMN_BUILDER", value.place, {
      builder: value.callee,
      nearest: nearest(value.callee, known),
      known,
      form: formFor(value.callee.replace(/^q\./, ""), BUILDER_FORMS),
    });
    return broken;
  }
  const built = builder({ args: value.args, callee: value.callee, value }, at);
  const description = entry.doc ?? null;
  const seed = { ...broken, ...(built ?? {}), primaryKey: built?.manager === "id", description };
  const column = settled(modified(seed, value.chain, notation, at), value.chain, at);
  return notation === DRIZZLE ? asSystemTimestamp(column) : column;
}

/** Turns `createdAt: text("created_at")` into a timestamp. Drizzle has no notation for a timestamp that is stored as text. */
function asSystemTimestamp(column: ColumnDraft): ColumnDraft {
  const { type } = column;
  const isText = type !== null && rulesOf(type).key === "text" && valuesOf({ type }).enum === null;
  return isText && isSystemField(column.name) && column.name.endsWith("At")
    ? { ...column, type: { kind: "timestamp" } }
    : column;
}

function modified(
  seed: ColumnDraft,
  chain: readonly CallLink[],
  notation: Notation,
  at: At,
): ColumnDraft {
  return chain.reduce((column, link) => {
    const modifier = notation.modifiers.get(link.name);
    if (!modifier) {
      const known = [...notation.modifiers.keys()];
      const meant = nearest(link.name, known);
      at.report.add("MODIFIER_UNKNOWN", link.place, {
        modifier: link.name,
        owner: `column ${JSON.stringify(column.name)}`,
        nearest: meant,
        known,
        form: notation === Q ? formFor(link.name, MODIFIER_FORMS) : null,
      });
      // A misspelt `references` leaves a foreign key, not a plain column, so nothing more is reported about it.
      return meant === "references" ? { ...column, type: null } : column;
    }
    if (column.type && isOutOfPlace(link.name, column)) {
      const type = column.type.kind;
      at.report.add("MODIFIER_MISPLACED", link.place, {
        modifier: link.name,
        column: at.path,
        type,
      });
      return column;
    }
    return { ...column, ...modifier(column, link, at) };
  }, seed);
}

/** Checks and settles what needs the whole chain: nullability, default, key. */
function settled(column: ColumnDraft, chain: readonly CallLink[], at: At): ColumnDraft {
  const optional = chain.find((link) => link.name === "optional");
  const required = chain.find((link) => link.name === "required");
  if (optional && required) {
    at.report.add("COLUMN_NULLABILITY", optional.place, { column: column.name });
  }
  if (column.type && holdsFiles(column.type)) {
    if (optional) {
      at.report.add("MODIFIER_MISPLACED", optional.place, {
        modifier: "optional",
        column: at.path,
        type: column.type.kind,
      });
    }
    // A list of files is empty at first, and never null.
    return { ...column, required: true, default: { kind: "literal", value: [] } };
  }
  const [value] = chain.find((link) => link.name === "default")?.args ?? [];
  if (!value || !column.type) return withPrimaryKey(column);
  const literal = readColumnDefault(value, column, at);
  if (literal === undefined && value.kind === "null") return withPrimaryKey(column);
  // A default that does not fit was reported, so its absence is not reported too.
  return withPrimaryKey({ ...column, default: literal ?? { kind: "literal", value: null } });
}

/** Turns the key into an id. In drizzle's notation it is a text or integer column. */
function withPrimaryKey(column: ColumnDraft): ColumnDraft {
  if (!column.primaryKey || column.manager === "id") return column;
  return { ...column, type: { kind: "id" }, manager: "id" };
}

/** True for a name that the service stamps itself. */
export function isSystemField(name: string): boolean {
  return SYSTEM_FIELDS.some((field) => field === name);
}
