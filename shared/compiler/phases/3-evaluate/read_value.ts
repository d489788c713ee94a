/** Reads literals, arrays and objects, which all definition files consist of (contract 4.8). It never evaluates code. */
import type * as t from "@babel/types";
import type { ObjectEntry, Value } from "../values.ts";
import { constructOf } from "./constructs.ts";
import { Findings } from "./findings.ts";
import { textOf } from "./place.ts";
import { deeper, DEPTH_MAX, placeIn, type Reader, refusedValue, unreadable } from "./reader.ts";
import { withoutTypes } from "./syntax.ts";

export function readValue(expression: t.Expression, reader: Reader): Value {
  const node = withoutTypes(expression);
  if (node !== expression) reader.dialect.refuseTypes(expression, reader);
  if (reader.depth > DEPTH_MAX) {
    reader.findings.add("VALUE_TOO_DEEP", placeIn(reader, node), { limit: DEPTH_MAX });
    return unreadable("a value nested too deep", node, reader);
  }
  switch (node.type) {
    case "StringLiteral":
      return { kind: "string", value: node.value, place: placeIn(reader, node) };
    case "NumericLiteral":
      return readNumber(node.value, node, reader);
    case "BooleanLiteral":
      return { kind: "boolean", value: node.value, place: placeIn(reader, node) };
    case "NullLiteral":
      return { kind: "null", place: placeIn(reader, node) };
    case "TemplateLiteral": {
      const text = node.quasis[0]?.value.cooked;
      if (node.expressions.length > 0 || typeof text !== "string") {
        return refusedValue(constructOf(node, reader.scope.source), node, reader);
      }
      return { kind: "string", value: text, place: placeIn(reader, node) };
    }
    case "UnaryExpression": {
      // A leading minus is part of the number (definitions 2).
      const operand = withoutTypes(node.argument);
      if (node.operator === "-" && operand.type === "NumericLiteral") {
        return readNumber(-operand.value, node, reader);
      }
      return refusedValue(constructOf(node, reader.scope.source), node, reader);
    }
    case "ArrayExpression":
      return readArray(node, reader);
    case "ObjectExpression":
      return readObject(node, reader);
    default:
      return reader.dialect.readOther(node, reader);
  }
}

function readNumber(value: number, node: t.Expression, reader: Reader): Value {
  if (!Number.isFinite(value)) return refusedValue("a number out of range", node, reader);
  return { kind: "number", value, place: placeIn(reader, node) };
}

function readArray(node: t.ArrayExpression, reader: Reader): Value {
  const items: Value[] = [];
  let isKnown = true;
  for (const element of node.elements) {
    if (element === null) items.push(refusedValue("an empty array slot", node, reader));
    else if (element.type === "SpreadElement") {
      const spread = reader.dialect.spreadItems(element, deeper(reader));
      if (spread === null) isKnown = false;
      else for (const item of spread) items.push(item);
    } else items.push(readValue(element, deeper(reader)));
  }
  if (!isKnown) return unreadable("an array with a spread that cannot be read", node, reader);
  return { kind: "array", items, place: placeIn(reader, node) };
}

function readObject(node: t.ObjectExpression, reader: Reader): Value {
  const entries = new Map<string, ObjectEntry>();
  const written = new Set<string>();
  let isKnown = true;
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      const spread = reader.dialect.spreadEntries(property, deeper(reader));
      if (spread === null) isKnown = false;
      else for (const entry of spread) entries.set(entry.key, entry);
      continue;
    }
    const entry = readEntry(property, deeper(reader));
    if (entry === null) continue;
    if (written.has(entry.key)) {
      reader.findings.add("DUPLICATE_KEY", entry.keyPlace, { key: entry.key });
    }
    written.add(entry.key);
    entries.set(entry.key, entry);
  }
  if (!isKnown) return unreadable("an object with a spread that cannot be read", node, reader);
  return { kind: "object", entries: [...entries.values()], place: placeIn(reader, node) };
}

/** Reads a property; null when its key is not allowed in a definition, which was reported. */
function readEntry(
  property: t.ObjectProperty | t.ObjectMethod,
  reader: Reader,
): ObjectEntry | null {
  const key = keyOf(property, reader);
  if (key === null) return null;
  const keyPlace = placeIn(reader, property.key);
  if (key === "__proto__" || key === "constructor") {
    reader.findings.add("KEY_FORBIDDEN", keyPlace, { key });
    return null;
  }
  const value = readPropertyValue(property, tolerantFor(key, reader));
  const isDescribed = value.kind === "call" || value.kind === "object";
  const doc = isDescribed ? docBefore(property.start, reader.scope.source.text) : "";
  return { key, keyPlace, value, ...(doc === "" ? {} : { doc }) };
}

/** Length limit of a doc comment, in characters. A longer one is no description. */
const DOC_MAX_LENGTH = 4000;
const DOC = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/$/;

/** Matches the words between a doc comment and its value. */
const DECLARED = /(?:\bexport\s+default|\bconst\s+[\w$]+\s*(?::[^=;]*)?=)\s*\(?\s*$/;
const EXPORTED = /\bexport\s*$/;

/**
 * Returns the first paragraph of the doc comment before the declaration or default export of the value at this offset; empty:
 * there is none.
 */
export function docOfDeclared(offset: number | null | undefined, text: string): string {
  const end = offset ?? 0;
  const before = text.slice(Math.max(0, end - DOC_MAX_LENGTH), end);
  const declared = before.replace(DECLARED, "");
  return declared === before ? "" : docBefore(null, declared.trimEnd().replace(EXPORTED, ""));
}

/**
 * Returns the first paragraph of the doc comment before this offset, in one line; empty: there is none. A null offset is the
 * end of the text.
 */
function docBefore(offset: number | null | undefined, text: string): string {
  const end = offset ?? text.length;
  const before = text.slice(Math.max(0, end - DOC_MAX_LENGTH), end).trimEnd();
  if (!before.endsWith("*/")) return "";
  const start = before.lastIndexOf("/**");
  const [, inner = ""] = start === -1 ? [] : DOC.exec(before.slice(start)) ?? [];
  const lines = inner.split("\n").map((line) => line.trim().replace(/^\*\s?/, "").trim());
  const [first = ""] = lines.join("\n").trim().split(/\n\s*\n/);
  return first.replaceAll(/\s+/g, " ").trim();
}

function tolerantFor(key: string, reader: Reader): Reader {
  if (!reader.dialect.tolerantKeys.has(key)) return reader;
  const findings = new Findings();
  reader.findings.use(findings, "tolerant");
  return { ...reader, findings };
}

function keyOf(property: t.ObjectProperty | t.ObjectMethod, reader: Reader): string | null {
  const { key, computed } = property;
  if (computed) return reader.dialect.computedKey(key, reader);
  if (key.type === "Identifier") return key.name;
  if (key.type === "StringLiteral") return key.value;
  if (key.type === "NumericLiteral") return String(key.value);
  reader.dialect.refuse(constructOf(key, reader.scope.source), placeIn(reader, key), reader);
  return null;
}

function readPropertyValue(property: t.ObjectProperty | t.ObjectMethod, reader: Reader): Value {
  if (property.type === "ObjectMethod") {
    return property.kind !== "method"
      ? refusedValue("a getter or setter", property, reader)
      : reader.dialect.readMethod(textOf(property, reader.scope.source), property, reader);
  }
  const { value } = property;
  if (isExpression(value)) return readValue(value, reader);
  return refusedValue(constructOf(value, reader.scope.source), value, reader);
}

/** True for an expression. The grammar also allows patterns here, for assignments only. */
function isExpression(value: t.ObjectProperty["value"]): value is t.Expression {
  return !value.type.endsWith("Pattern") && value.type !== "RestElement";
}
