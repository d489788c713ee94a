/** Defines the context of reading a value: its source, its dialect, and the list of findings. */
import type { Expression, SpreadElement } from "@babel/types";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { ObjectEntry, Value } from "../values.ts";
import type { Findings } from "./findings.ts";
import { type Located, placeOf, textOf } from "./place.ts";
import type { Scope } from "./scope.ts";

export interface Reader {
  readonly scope: Scope;
  readonly findings: Findings;
  /** Number of values around this one, including the constants on the way. */
  readonly depth: number;
  readonly dialect: Dialect;
}

/** Rules for all syntax besides literals, arrays and objects. The configuration permits only helper calls. */
export interface Dialect {
  /** Reads an expression that is no literal, array or object. */
  readonly readOther: (node: Expression, reader: Reader) => Value;
  /** Returns the entries that a spread adds; null: they are unknown, which was reported. */
  readonly spreadEntries: (node: SpreadElement, reader: Reader) => readonly ObjectEntry[] | null;
  readonly spreadItems: (node: SpreadElement, reader: Reader) => readonly Value[] | null;
  /** Returns a computed key; null: it was reported. */
  readonly computedKey: (node: Expression, reader: Reader) => string | null;
  /** Keys whose values need not be readable. */
  readonly tolerantKeys: ReadonlySet<string>;
  /** Reports a type assertion; the value itself is read in any case. */
  readonly refuseTypes: (node: Expression, reader: Reader) => void;
  readonly readMethod: (text: string, node: Located, reader: Reader) => Value;
  readonly refuse: (construct: string, place: Place, reader: Reader) => void;
}

/** Limit of the levels of nested values, equal to the parser's limit of brackets. */
export const DEPTH_MAX = 200;

export function placeIn(reader: Reader, node: Located): Place {
  return placeOf(node, reader.scope.source);
}

export function deeper(reader: Reader): Reader {
  return { ...reader, depth: reader.depth + 1 };
}

/** Returns a value that replaces an expression which could not be read. */
export function unreadable(construct: string, node: Located, reader: Reader): Value {
  const text = textOf(node, reader.scope.source);
  return { kind: "unreadable", construct, text, place: placeIn(reader, node) };
}

/** Returns the same value, with the dialect's finding about it. */
export function refusedValue(construct: string, node: Located, reader: Reader): Value {
  reader.dialect.refuse(construct, placeIn(reader, node), reader);
  return unreadable(construct, node, reader);
}
