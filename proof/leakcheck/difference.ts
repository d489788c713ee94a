/** Finds the first byte at which two answers to one request differ. */
import { bytesEqual } from "../../shared/lib/bytes.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import { nameOf } from "../rows/mod.ts";
import type { Channel, Question, RecordedAnswer } from "../questions/question.ts";
import { type Planning, queryText, rowsOf, secretsOf } from "../questions/planning.ts";

/** First differing bytes, with some bytes before them. */
interface Excerpt {
  readonly one: string;
  readonly other: string;
}

export interface Difference {
  /** Name of the caller's class. */
  readonly principal: string;
  readonly channel: Channel;
  /** Request such as `GET /api/v1/tickets?sort=secret`, or a description of a message that the API sent on its own. */
  readonly request: string;
  /**
   * Column as `<table>.<column>`: the one that the request filters by, or the one with values in the excerpt; null if it is not
   * known.
   */
  readonly column: string | null;
  /** Place of the difference: `status`, `header etag`, `body at byte 120, data.0.email`. */
  readonly place: string;
  readonly excerpt: Excerpt;
}

/** Returns the first difference of two answers; null if they are equal. */
export function partingOf(
  one: RecordedAnswer,
  other: RecordedAnswer,
): Pick<Difference, "place" | "excerpt"> | null {
  if (one.status !== other.status) {
    const told = (heard: RecordedAnswer) => `${heard.status} ${shown(heard.body, 0)}`;
    return { place: "status", excerpt: { one: told(one), other: told(other) } };
  }
  return bodyParting(one, other) ?? headerParting(one, other);
}

/** Compares bodies first: a body says more than the entity tag that is computed from it. */
function bodyParting(
  one: RecordedAnswer,
  other: RecordedAnswer,
): Pick<Difference, "place" | "excerpt"> | null {
  // Of an endless answer, only the length that both have is compared.
  const length = one.isCut || other.isCut ? Math.min(one.body.length, other.body.length) : Infinity;
  const [a, b] = [one.body.slice(0, length), other.body.slice(0, length)];
  if (bytesEqual(a, b)) return null;
  const at = a.findIndex((byte, index) => byte !== b[index]);
  const byte = at === -1 ? a.length : at;
  const path = jsonPath(parsed(a), parsed(b));
  return {
    place: `body at byte ${byte}${path === null ? "" : `, ${path}`}`,
    excerpt: { one: shown(a, byte), other: shown(b, byte) },
  };
}

function headerParting(
  one: RecordedAnswer,
  other: RecordedAnswer,
): Pick<Difference, "place" | "excerpt"> | null {
  const names = new Set([...one.headers, ...other.headers].map(([name]) => name));
  for (const name of names) {
    const [a, b] = [one, other].map(({ headers }) =>
      headers.filter(([own]) => own === name).map(([, value]) => value).join(", ")
    );
    if (a !== b) return { place: `header ${name}`, excerpt: { one: a ?? "", other: b ?? "" } };
  }
  return null;
}

const BEFORE = 24;
const AFTER = 40;

function shown(bytes: Uint8Array, at: number): string {
  return new TextDecoder().decode(bytes.slice(Math.max(0, at - BEFORE), at + AFTER));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The body is not JSON, so it has no path.
    return undefined;
  }
}

/** Returns the path of the first value that differs; null: the difference is at the top, or in the order of members. */
function jsonPath(one: unknown, other: unknown): string | null {
  const [a, b] = [membersOf(one), membersOf(other)];
  if (a === null || b === null) return null;
  for (const [name, value] of a) {
    const twin = b.find(([own]) => own === name);
    if (twin && JSON.stringify(value) === JSON.stringify(twin[1])) continue;
    const below = twin ? jsonPath(value, twin[1]) : null;
    return below === null ? name : `${name}.${below}`;
  }
  return null;
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (Array.isArray(value)) {
    return value.map((one: unknown, at) => [String(at), one] as const);
  }
  return isJsonObject(value) ? Object.entries(value) : null;
}

/** Returns the hidden column that a difference is about, as far as the request or the bytes show. */
export function columnOf(
  question: Pick<Question, "column">,
  { place, excerpt }: Pick<Difference, "place" | "excerpt">,
  planning: Planning,
): string | null {
  if (question.column !== undefined) return question.column;
  const last = place.split(/[., ]/).at(-1);
  const { hidden = [], unseen = [] } = planning.exploring ?? {};
  const kept = unseen.flatMap(({ row: { table }, columns }) =>
    columns.map((column) => ({ table, column }))
  );
  const told = [...hidden, ...kept].filter((one) =>
    one.column.name === last ||
    rowsOf(one.table, planning).some(({ id }) => {
      const [a, b] = secretsOf(one, id, planning).map(queryText);
      if (a === undefined || b === undefined || a.length + b.length <= SHORT) return false;
      return excerpt.one.includes(a) && excerpt.other.includes(b);
    })
  );
  const [first] = told.sort((a, b) =>
    Number(b.column.name === last) - Number(a.column.name === last)
  );
  return first ? nameOf(first) : null;
}

/** Length up to which two values may occur in any text by chance. */
const SHORT = 5;
