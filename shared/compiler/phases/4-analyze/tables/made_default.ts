/**
 * Reads defaults that the service makes for each new row: `"now"`, `"$ctx.userId"`, `{ random }`, `{ sequence }` (definitions
 * 3).
 */
import { rulesOf, valuesOf } from "../../../../column_types/mod.ts";
import { SEQUENCE_DIGITS_MAX } from "../../../../contract/mod.ts";
import { MADE_DEFAULT } from "../../../../definition_language/columns.ts";
import type { ColumnDefault, ColumnType, MadeValue, Sequence } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import {
  type At,
  below,
  described,
  type Fields,
  invalidValue,
  read,
  readFields,
} from "../read/mod.ts";
import type { ColumnDraft } from "./draft.ts";

const USER_ID = "$ctx.userId";

/** Returns the default; null if it is not of this kind, undefined if it is wrong, which is reported. */
export function readMadeDefault(
  value: Value,
  column: ColumnDraft,
  at: At,
): ColumnDefault | null | undefined {
  const { type } = column;
  if (type === null) return null;
  const made = value.kind === "string"
    ? madeWord(value.value, type)
    : value.kind === "object" && !rulesOf(type).isStructured
    ? readOptions(value, column, at)
    : null;
  return made && { kind: "made", value: made };
}

/**
 * Returns the current time for `"now"` in a column of times, and the caller for `"$ctx.userId"` in a text column; null for
 * plain text.
 */
function madeWord(word: string, type: ColumnType): MadeValue | null {
  const { isInstant, hasDay, holdsIds } = rulesOf(type);
  if (word === "now" && (isInstant || hasDay)) return { kind: "now" };
  return word === USER_ID && holdsIds && valuesOf({ type }).enum === null
    ? { kind: "userId" }
    : null;
}

type MadeFields = Fields<(typeof MADE_DEFAULT)["members"]>;

function readOptions(value: Value, column: ColumnDraft, at: At): MadeValue | undefined {
  const fields = readFields(value, MADE_DEFAULT, at);
  if (!fields) return undefined;
  const [random, sequence] = [fields.entries.get("random"), fields.entries.get("sequence")];
  if (random && sequence) return invalidValue(value, "either random or sequence", at);
  if (random) return readRandom(fields, column);
  if (sequence) return readSequence(fields, column);
  return fields.unknown.length > 0
    ? undefined
    : refuse(value, column, "a single value, { random } or { sequence }", at);
}

function readRandom(fields: MadeFields, column: ColumnDraft): MadeValue | undefined {
  const length = read(fields, "random");
  const beside = [...fields.entries.values()].find(({ key }) => key !== "random");
  if (beside) {
    return invalidValue(beside.value, "nothing beside random", below(fields.at, beside.key));
  }
  const entry = fields.entries.get("random");
  if (length === undefined || !entry) return undefined;
  const fault = faultOf(column, { least: length, most: length });
  if (fault === null) return { kind: "random", length };
  return refuse(entry.value, column, fault, fields.at);
}

const NO_TEXT = "a value of its type: only q.text() without enum and pattern takes made texts";

/** Matches a text around one group of zeros in braces. */
const FORM = /^([^{}]*)\{(0+)\}([^{}]*)$/;

function readSequence(fields: MadeFields, column: ColumnDraft): MadeValue | undefined {
  const entry = fields.entries.get("sequence");
  if (!entry || !column.type) return undefined;
  const { value } = entry;
  const at = below(fields.at, "sequence");
  const [start, per] = [read(fields, "start") ?? 1, read(fields, "per")];
  // An unreadable `per` was reported, so the default is wrong.
  if (per === undefined && fields.entries.has("per")) return undefined;
  const counted = { start, per: per ?? "organization" } as const;
  const { key } = rulesOf(column.type);
  const { mismatch } = valuesOf({ type: column.type });
  if (key === "int") {
    if (value.kind !== "boolean" || !value.value) {
      return invalidValue(value, "true, for whole numbers", at);
    }
    if (mismatch(Number.MAX_SAFE_INTEGER) !== null) {
      return refuse(value, column, 'a column without "max"', fields.at);
    }
    const early = mismatch(start);
    if (early !== null) return refuse(value, column, `a start that is ${early}`, fields.at);
    return { kind: "sequence", before: "", digits: 1, after: "", ...counted };
  }
  if (key !== "text") return refuse(value, column, NO_TEXT, fields.at);
  const [, before, zeros, after] = (value.kind === "string" ? FORM.exec(value.value) : null) ?? [];
  if (before === undefined || zeros === undefined || after === undefined) {
    return invalidValue(value, 'a text with one group of zeros, such as "WO-{0000}"', at);
  }
  if (/\0/.test(before + after) || zeros.length > SEQUENCE_DIGITS_MAX) {
    return invalidValue(value, `a text with at most ${SEQUENCE_DIGITS_MAX} zeros`, at);
  }
  const around = codePoints(before) + codePoints(after);
  const fault = faultOf(column, {
    least: around + zeros.length,
    most: around + SEQUENCE_DIGITS_MAX,
  });
  if (fault !== null) return refuse(value, column, fault, fields.at);
  const sequence: Sequence = { before, digits: zeros.length, after, ...counted };
  return { kind: "sequence", ...sequence };
}

/** Returns the column that such texts need instead; null if this column takes them. */
function faultOf(
  { type }: ColumnDraft,
  length: { readonly least: number; readonly most: number },
): string | null {
  const values = type && rulesOf(type).key === "text" ? valuesOf({ type }) : null;
  if (values === null || values.enum !== null || values.pattern !== null) return NO_TEXT;
  if (values.maxLength !== null && values.maxLength < length.most) {
    return `a maxLength of at least ${length.most}`;
  }
  return values.mismatch("x".repeat(length.least)) === null
    ? null
    : `a minLength of at most ${length.least}`;
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function refuse(value: Value, { name }: ColumnDraft, expected: string, at: At): undefined {
  const details = { column: name, found: described(value), expected, nearest: null };
  at.report.add("DEFAULT_INVALID", value.place, details);
  return undefined;
}
