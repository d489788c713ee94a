/** Reads objects of a shape. An unknown key is an error with a suggestion (definitions 2). */
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { snakeCase } from "../../../../surface/mod.ts";
import { FOREIGN_EVERYWHERE, formFor, WORKER_FILE } from "./other_words.ts";
import { type At, below, type Reader, wrongType } from "./reader.ts";

export interface Fields<Own extends Members = Members> {
  readonly members: Own;
  /** False if the author wrote no object. A value of another kind was reported. */
  readonly isGiven: boolean;
  readonly at: At;
  readonly place: Place;
  readonly entries: ReadonlyMap<string, ObjectEntry>;
  /** The probable correct key of each unknown key. Unknown keys were reported already. */
  readonly unknown: readonly (string | null)[];
}

/** Returns the members of an object and reports unknown ones. `forms` are the suggestions for keys that other systems use. */
export function readFields<Own extends Members>(
  value: Value,
  shape: Shape<Own>,
  at: At,
  forms?: Readonly<Record<string, string>>,
): Fields<Own> | undefined {
  if (value.kind !== "object") return wrongType(value, "an object", at);
  const isKnown = ({ key }: ObjectEntry) => Object.hasOwn(shape.members, key);
  const entries = shape.takesSnakeCase ? inCamelCase(value.entries, shape, at) : value.entries;
  const members = entries.filter(isKnown);
  const strangers = entries.filter((entry) => !isKnown(entry));
  return {
    members: shape.members,
    isGiven: true,
    at,
    place: value.place,
    entries: new Map(members.map((entry) => [entry.key, entry])),
    unknown: strangers.map(({ key, keyPlace }) => {
      // The suggestion is the known key that is nearest to this one.
      const owner = at.path === "" ? "the configuration" : at.path;
      const { foreign, replaced } = shape;
      const instead = replaced && Object.hasOwn(replaced, key) && replaced[key];
      if (foreign?.includes(key) || FOREIGN_EVERYWHERE.includes(key)) {
        at.report.add("KEY_WITHOUT_MEANING", keyPlace, { key, owner });
        return null;
      }
      if (instead) {
        at.report.add("KEY_REPLACED", keyPlace, { key, owner, instead });
        return null;
      }
      const known = Object.keys(shape.members);
      const meant = nearest(key, known);
      const form = formFor(key, forms) ??
        (shape.takesSnakeCase && meant === null ? WORKER_FILE : null);
      at.report.add("UNKNOWN_KEY", keyPlace, { key, owner, nearest: meant, known, form });
      return meant;
    }),
  };
}

/** Returns the entries with keys in the shape's spelling. A key in both spellings is reported, and the first is kept. */
function inCamelCase(entries: readonly ObjectEntry[], shape: Shape, at: At): ObjectEntry[] {
  const spellings = new Map(Object.keys(shape.members).map((key) => [snakeCase(key), key]));
  const written = new Map<string, ObjectEntry>();
  for (const entry of entries) {
    const key = spellings.get(entry.key) ?? entry.key;
    const first = written.get(key);
    if (first === undefined) written.set(key, entry);
    else at.report.add("KEY_TWICE", entry.keyPlace, { key: entry.key, other: first.key });
  }
  return [...written].map(([key, entry]) => ({ ...entry, key }));
}

/** Returns the fields of an absent object of this shape. */
export function noFields<Own extends Members>(
  { members }: Shape<Own>,
  place: Place,
  at: At,
): Fields<Own> {
  return { members, isGiven: false, at, place, entries: new Map(), unknown: [] };
}

/** Reads one member by a rule of its own; `undefined` if it is absent or wrong. */
export function readField<Own extends Members, T>(
  fields: Fields<Own>,
  key: keyof Own & string,
  reader: Reader<T>,
): T | undefined {
  const entry = fields.entries.get(key);
  return entry && reader(entry.value, below(fields.at, key));
}

/** Reads one member that is required. */
export function requireField<Own extends Members, T>(
  fields: Fields<Own>,
  key: keyof Own & string,
  reader: Reader<T>,
): T | undefined {
  requireKey(fields, key);
  return readField(fields, key, reader);
}

/** Reports a required member that is absent. */
export function requireKey(fields: Fields, key: string): void {
  // A required key that is present under another name is one error, not two.
  if (
    !fields.isGiven || fields.entries.has(key) || fields.unknown.includes(key) ||
    (fields.entries.size === 0 && fields.unknown.includes(null))
  ) return;
  const { path, report } = fields.at;
  const owner = path === "" ? "the configuration" : path;
  report.add("KEY_MISSING", fields.place, { key, owner });
}
