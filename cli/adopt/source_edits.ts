/** Edits a text at places that a parser has found. All other text keeps its form, including comments. */
import { parse } from "@babel/parser";
import type { Node, ObjectExpression, ObjectProperty } from "@babel/types";
import { DraftError } from "./foreign_schema.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, which must not overlap and may be in any order. Line endings stay as they are. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return edits.toSorted((a, b) => b.start - a.start)
    .reduce(
      (done, { start, end, text: put }) =>
        done.slice(0, start) + put.replace(/\r?\n/g, lineEnd) + done.slice(end),
      text,
    );
}

/** Returns every node of the text, outer ones first. Refuses a text that is not TypeScript, with its place. */
export function nodesOf(path: string, text: string): readonly Node[] {
  const nodes: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value)) return;
    nodes.push(value);
    Object.entries(value).forEach(([key, child]) => key === "loc" || visit(child));
  };
  visit(programOf(path, text));
  return nodes;
}

function programOf(path: string, text: string): Node {
  try {
    return parse(text, {
      sourceType: "module",
      attachComment: false,
      plugins: /\.[jt]sx$/.test(path)
        ? ["typescript", "decorators", "jsx"]
        : ["typescript", "decorators"],
    }).program;
  } catch (error) {
    if (error instanceof SyntaxError) throw new DraftError(`${path}: ${error.message}`);
    if (error instanceof RangeError) {
      throw new DraftError(`${path} is nested too deeply to be read`);
    }
    throw error;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string" && "start" in value && typeof value.start === "number";
}

export function textOf(text: string, { start, end }: Node): string {
  return text.slice(start ?? 0, end ?? 0);
}

/** Returns the plain members of an object literal, by name. */
export function membersOf({ properties }: ObjectExpression): ReadonlyMap<string, ObjectProperty> {
  return new Map(properties.flatMap((property) => {
    if (property.type !== "ObjectProperty" || property.computed) return [];
    const { key } = property;
    if (key.type === "Identifier") return [[key.name, property] as const];
    return key.type === "StringLiteral" ? [[key.value, property] as const] : [];
  }));
}

/** Returns the spaces before the first word of the line. */
export function indentAt(text: string, index: number): string {
  const start = text.lastIndexOf("\n", index - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, index))?.[0] ?? "";
}

/** Removes a member with its comma, and its line if nothing else is on it. */
export function removalOf(text: string, member: Node): Edit {
  let [start, end] = [member.start ?? 0, member.end ?? 0];
  const comma = /^\s*,/.exec(text.slice(end));
  end += comma?.[0].length ?? 0;
  const indent = indentAt(text, start);
  const isFirst = text.slice(0, start - indent.length).endsWith("\n");
  const rest = /^[ \t]*(\r?\n)/.exec(text.slice(end));
  if (isFirst && rest) return { start: start - indent.length, end: end + rest[0].length, text: "" };
  // The removal of the last member on a line includes the comma before it.
  const before = comma ? null : /,\s*$/.exec(text.slice(0, start));
  if (before) start -= before[0].length;
  else end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return { start, end, text: "" };
}

/** Adds a member before the closing brace of an object literal. */
export function additionTo(text: string, object: ObjectExpression, member: string): Edit {
  const last = object.properties.at(-1);
  const close = (object.end ?? 0) - 1;
  if (!last) return { start: close, end: close, text: ` ${member} ` };
  const isOnOneLine = !textOf(text, object).includes("\n");
  const end = last.end ?? 0;
  if (isOnOneLine) return { start: end, end, text: `, ${member}` };
  const indent = indentAt(text, last.start ?? 0);
  const lines = member.replaceAll("\n", `\n${indent}`);
  // The place is after the last member's comma and the comment on its line.
  const tail = /^\s*,?[ \t]*(?:\/\/[^\n]*)?/.exec(text.slice(end))?.[0] ?? "";
  const hasComma = /^\s*,/.test(tail);
  const kept = hasComma ? tail : `,${tail.trimEnd() === "" ? "" : tail}`;
  const length = hasComma || tail.trim() !== "" ? tail.length : 0;
  return { start: end, end: end + length, text: `${kept}\n${indent}${lines},` };
}
