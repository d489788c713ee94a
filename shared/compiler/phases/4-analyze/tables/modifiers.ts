/** Reads column modifiers in both notations: `.required()`, `.references(…)`, `.notNull()` … (definitions 3). */
import { FILTER_OPERATORS, filterOperator, rulesOf } from "../../../../column_types/mod.ts";
import { DRIZZLE_KEY_OPTIONS, REFERENCE_OPTIONS } from "../../../../definition_language/columns.ts";
import type { ColumnType } from "../../../../model/mod.ts";
import type { CallLink } from "../../values.ts";
import { readFields } from "../read/fields.ts";
import { checkMembers, read } from "../read/read_member.ts";
import { type At, wrongType } from "../read/reader.ts";
import { oneOf, readText, readToken } from "../read/scalars.ts";
import type { ColumnDraft } from "./draft.ts";

/** Applies one link of the chain to the column; `undefined` if the link is wrong, which is reported. */
export type Modifier = (
  column: ColumnDraft,
  link: CallLink,
  at: At,
) => Partial<ColumnDraft> | undefined;

export const Q_MODIFIERS: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ["required", flag({ required: true })],
  ["optional", flag({ optional: true })],
  ["default", readDefault],
  ["defaultNow", flag({ default: { kind: "now" } }, (type) => rulesOf(type).isInstant)],
  ["unique", flag({ unique: true })],
  ["index", flag({ indexed: true })],
  ["references", readReferences],
  ["searchable", flag({ searchable: true }, (type) => rulesOf(type).isText)],
  ["filterable", readFilterable],
  ["sortable", flag({ listed: true })],
  ["protected", (_column: ColumnDraft, link: CallLink, at: At) => {
    const tokens = link.args.map((argument) => readToken(argument, at));
    return { protectedBy: tokens.filter((token) => token !== undefined) };
  }],
  ["immutable", flag({ immutable: true })],
  // This description replaces the doc comment.
  ["describe", (_column: ColumnDraft, link: CallLink, at: At) => {
    const [text, ...rest] = link.args;
    if (!text || rest.length > 0) return reportArguments(link, '.describe("…")', at);
    const description = readText(text, at);
    return description === undefined ? undefined : { description };
  }],
]);

export const DRIZZLE_MODIFIERS: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ["notNull", flag({ required: true })],
  ["primaryKey", readPrimaryKey],
  ["default", readDefault],
  ["unique", flag({ unique: true })],
  ["references", readReferences],
  ["$type", flag({})],
]);

/** Modifiers that a column of the service's own may have. */
const ON_MANAGED = new Set([
  "required",
  "notNull",
  "primaryKey",
  "unique",
  "index",
  "filterable",
  "sortable",
  "describe",
  "$type",
]);

/** Modifiers that a column which the database computes may have. */
const ON_COMPUTED = new Set(["index", "filterable", "sortable", "searchable", "describe"]);

/** Modifiers of a vector. A view cannot sort, filter or search by one, and a row exists before its vector is made. */
const ON_VECTORS = new Set(["optional", "protected", "immutable", "describe"]);

/** Modifiers that a file column may not have. A create cannot contain a file, and no query compares files. */
const NOT_ON_FILES = new Set([
  "required",
  "default",
  "unique",
  "index",
  "references",
  "searchable",
  "sortable",
]);

/** True when a modifier has no effect on this kind of column. */
export function isOutOfPlace(modifier: string, column: ColumnDraft): boolean {
  const rules = column.type && rulesOf(column.type);
  if (column.manager === "computed") return !ON_COMPUTED.has(modifier);
  return (column.manager !== "client" && !ON_MANAGED.has(modifier)) ||
    (rules?.isAsked === true && !ON_VECTORS.has(modifier)) ||
    (rules?.isFile === true && NOT_ON_FILES.has(modifier));
}

function flag(change: Partial<ColumnDraft>, applies?: (type: ColumnType) => boolean): Modifier {
  return (column, link, at) => {
    const [argument] = link.args;
    if (argument) return reportArguments(link, `.${link.name}() without arguments`, at);
    if (applies && column.type && !applies(column.type)) {
      return void at.report.add("MODIFIER_MISPLACED", link.place, {
        modifier: link.name,
        column: at.path,
        type: column.type.kind,
      });
    }
    return change;
  };
}

/** Reads a default. It is checked against the type once the chain is complete. */
function readDefault(_column: ColumnDraft, link: CallLink, at: At): undefined {
  if (link.args.length !== 1) reportArguments(link, ".default(value)", at);
  return undefined;
}

/**
 * Reads the operators of a filter: every operator of the type without arguments, else the listed ones (URL names, contract
 * 4.3).
 */
function readFilterable(
  column: ColumnDraft,
  link: CallLink,
  at: At,
): Partial<ColumnDraft> | undefined {
  if (link.args.length === 0) return { listed: true };
  const read = link.args.map((argument) => oneOf(FILTER_OPERATORS)(argument, at));
  const filters = read.filter((operator) => operator !== undefined);
  const isText = column.type === null || rulesOf(column.type).isText;
  const forTexts = filters.find((name) => filterOperator(name).needsText);
  if (forTexts && !isText) {
    return reportArguments(link, `.filterable() without "${forTexts}", which is for texts`, at);
  }
  const isFile = column.type !== null && rulesOf(column.type).isFile;
  const forValues = filters.find((name) => name !== "null");
  if (forValues && isFile) {
    return reportArguments(link, `.filterable("null"), as files are filtered by nothing else`, at);
  }
  // An operator that cannot be read allows no filter.
  return { listed: true, filters: FILTER_OPERATORS.filter((name) => filters.includes(name)) };
}

/** Reads a primary key. Integer keys count up; text keys get the service's ids. */
function readPrimaryKey(
  column: ColumnDraft,
  link: CallLink,
  at: At,
): Partial<ColumnDraft> | undefined {
  const [options] = link.args;
  const fields = options && readFields(options, DRIZZLE_KEY_OPTIONS, at);
  if (fields) checkMembers(fields);
  const keyStorage = column.type && rulesOf(column.type).key;
  return keyStorage === null
    ? void at.report.add("PRIMARY_KEY_TYPE", link.place, { column: column.name })
    : { primaryKey: true, required: true, keyStorage };
}

/** Marks a foreign key without a target. It was reported, so its column causes no further reports. */
const BROKEN: Partial<ColumnDraft> = { type: null };

function readReferences(
  _column: ColumnDraft,
  link: CallLink,
  at: At,
): Partial<ColumnDraft> | undefined {
  const [target, options, ...rest] = link.args;
  const expected = ".references(() => table.id, { onDelete })";
  if (!target || rest.length > 0) return reportArguments(link, expected, at);
  const inner = target.kind === "thunk" ? target.value : target;
  if (inner.kind === "unreadable") return BROKEN;
  if (inner.kind !== "reference") return wrongType(target, "() => table.id", at) ?? BROKEN;
  const fields = options && readFields(options, REFERENCE_OPTIONS, at);
  const [member = null] = inner.members.slice(-1);
  return {
    references: {
      target: { kind: "binding", binding: inner.target, member },
      place: inner.place,
      onDelete: (fields && read(fields, "onDelete")) ?? null,
      onDeletePlace: fields?.entries.get("onDelete")?.value.place ?? null,
    },
  };
}

function reportArguments(link: CallLink, expected: string, at: At): undefined {
  at.report.add("ARGUMENTS", link.place, { callee: `.${link.name}`, expected });
  return undefined;
}
