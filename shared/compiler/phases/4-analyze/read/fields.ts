/** Objects with known keys: whatever key is not known is an error with a suggestion (definitions 2). */
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { FOREIGN_EVERYWHERE, formFor } from "./other_words.ts";
import { type At, below, type Reader, wrongType } from "./reader.ts";

export interface Fields {
  readonly at: At;
  readonly place: Place;
  readonly entries: ReadonlyMap<string, ObjectEntry>;
  /** For each unknown key, already reported: the key that was probably meant. */
  readonly unknown: readonly (string | null)[];
}

interface KnownKeys {
  readonly keys: readonly string[];
  /** Keys of other implementations of the language: a warning. */
  readonly foreign?: readonly string[];
  /** Keys that have another spelling here: an error that names it. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Forms to write for keys that authors bring from elsewhere. */
  readonly forms?: Readonly<Record<string, string>>;
}

/** The members of an object, unknown ones reported. */
export function readFields(value: Value, known: KnownKeys, at: At): Fields | undefined {
  if (value.kind !== "object") return wrongType(value, "an object", at);
  const isKnown = ({ key }: ObjectEntry) => known.keys.includes(key);
  const members = value.entries.filter(isKnown);
  const strangers = value.entries.filter((entry) => !isKnown(entry));
  return {
    at,
    place: value.place,
    entries: new Map(members.map((entry) => [entry.key, entry])),
    unknown: strangers.map((entry) => reportUnknown(entry, known, at)),
  };
}

/** The key that was meant, as far as one can tell. */
function reportUnknown({ key, keyPlace }: ObjectEntry, known: KnownKeys, at: At): string | null {
  const owner = at.path === "" ? "the configuration" : at.path;
  const instead = known.replaced && Object.hasOwn(known.replaced, key) && known.replaced[key];
  if (known.foreign?.includes(key) || FOREIGN_EVERYWHERE.includes(key)) {
    at.report.add("KEY_WITHOUT_MEANING", keyPlace, { key, owner });
    return null;
  }
  if (instead) {
    at.report.add("KEY_REPLACED", keyPlace, { key, owner, instead });
    return null;
  }
  const meant = nearest(key, known.keys);
  const form = formFor(key, known.forms);
  at.report.add("UNKNOWN_KEY", keyPlace, { key, owner, nearest: meant, known: known.keys, form });
  return meant;
}

/** Reads one member; `undefined` when it is absent or wrong. */
export function readField<T>(fields: Fields, key: string, reader: Reader<T>): T | undefined {
  const entry = fields.entries.get(key);
  return entry && reader(entry.value, below(fields.at, key));
}

/** Reads one member that must be there. */
export function requireField<T>(fields: Fields, key: string, reader: Reader<T>): T | undefined {
  if (!fields.entries.has(key) && !isMisspelt(fields, key)) {
    const { path, report } = fields.at;
    const owner = path === "" ? "the configuration" : path;
    report.add("KEY_MISSING", fields.place, { key, owner });
  }
  return readField(fields, key, reader);
}

/** A missing key that stands there under another name is one mistake, not two. */
function isMisspelt({ entries, unknown }: Fields, key: string): boolean {
  return unknown.includes(key) || (entries.size === 0 && unknown.includes(null));
}

/** Reads a nested object with known keys. */
export function readMember(fields: Fields, key: string, known: KnownKeys): Fields | undefined {
  return readField(fields, key, (value, at) => readFields(value, known, at));
}
