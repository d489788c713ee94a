/** Objects with known keys: whatever key is not known is an error with a suggestion (definitions 2). */
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { type At, below, type Reader, wrongType } from "./reader.ts";

export interface Fields {
  readonly at: At;
  readonly place: Place;
  readonly entries: ReadonlyMap<string, ObjectEntry>;
}

export interface KnownKeys {
  readonly keys: readonly string[];
  /** Keys of other implementations of the language: a warning. */
  readonly foreign?: readonly string[];
  /** Keys that have another spelling here: an error that names it. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** The members of an object, unknown ones reported. */
export function readFields(value: Value, known: KnownKeys, at: At): Fields | undefined {
  if (value.kind !== "object") return wrongType(value, "an object", at);
  const entries = new Map<string, ObjectEntry>();
  for (const entry of value.entries) {
    if (known.keys.includes(entry.key)) entries.set(entry.key, entry);
    else reportUnknown(entry, known, at);
  }
  return { at, place: value.place, entries };
}

function reportUnknown(entry: ObjectEntry, known: KnownKeys, at: At): void {
  const { key, keyPlace } = entry;
  const owner = at.path === "" ? "the configuration" : at.path;
  if (known.foreign?.includes(key)) {
    at.report.add("KEY_WITHOUT_MEANING", keyPlace, { key, owner });
  } else if (known.replaced && Object.hasOwn(known.replaced, key)) {
    at.report.add("KEY_REPLACED", keyPlace, { key, owner, instead: known.replaced[key] ?? "" });
  } else {
    at.report.add("UNKNOWN_KEY", keyPlace, { key, owner, nearest: nearest(key, known.keys) });
  }
}

/** Reads one member; `undefined` when it is absent or wrong. */
export function readField<T>(fields: Fields, key: string, reader: Reader<T>): T | undefined {
  const entry = fields.entries.get(key);
  return entry && reader(entry.value, below(fields.at, key));
}

/** Reads one member that must be there. */
export function requireField<T>(fields: Fields, key: string, reader: Reader<T>): T | undefined {
  if (!fields.entries.has(key)) {
    const { path, report } = fields.at;
    const owner = path === "" ? "the configuration" : path;
    report.add("KEY_MISSING", fields.place, { key, owner });
  }
  return readField(fields, key, reader);
}

/** Reads a nested object with known keys. */
export function readMember(fields: Fields, key: string, known: KnownKeys): Fields | undefined {
  return readField(fields, key, (value, at) => readFields(value, known, at));
}
