/** Represents a TypeScript type that is not yet split into lines. It is laid out as `deno fmt` would lay it out. */
import { typescriptComment, typescriptProperty } from "../../../../lib/typescript_text.ts";
import { LINE_WIDTH } from "../typescript/source.ts";

export type TypeNode =
  /** A type that is already text. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "union"; readonly of: readonly TypeNode[] }
  | { readonly kind: "array"; readonly of: TypeNode }
  /** A value, or the mask that replaces it. */
  | { readonly kind: "masked"; readonly of: TypeNode }
  | { readonly kind: "object"; readonly members: readonly TypeMember[] };

export interface TypeMember {
  /** The member's name; null: any name. */
  readonly name: string | null;
  readonly optional: boolean;
  readonly type: TypeNode;
  /** Comment above the member; empty: none. */
  readonly comment: string;
}

export function text(value: string): TypeNode {
  return { kind: "text", text: value };
}

/** Returns a required member. */
export function member(name: string | null, type: TypeNode, comment = ""): TypeMember {
  return { name, type, comment, optional: false };
}

/** Returns a union of distinct options; a single option is returned as it is. */
export function union(of: readonly TypeNode[]): TypeNode {
  const parts = of.flatMap((one) => one.kind === "union" ? one.of : [one]);
  const distinct = [...new Map(parts.map((one) => [flat(one), one])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only ? only : { kind: "union", of: distinct };
}

/** Returns `export type Name = …;`, or an interface for an object. */
export function declaration(name: string, type: TypeNode, comment: string): string {
  const above = commentLine(comment, 0);
  if (type.kind === "object") return `${above}export interface ${name} ${block(type.members, 0)}`;
  return `${above}${statement(`export type ${name} =`, type, 0)}`;
}

/** Returns the head, the type and a semicolon, on one line if they fit. */
function statement(head: string, type: TypeNode, indent: number): string {
  if (!holdsObject(type)) {
    const line = `${head} ${flat(type)};`;
    if (line.length <= LINE_WIDTH) return line;
  }
  return type.kind === "union"
    ? `${head}${options(type.of, indent + 2)};`
    : `${head} ${broken(type, indent)};`;
}

function broken(type: TypeNode, indent: number): string {
  switch (type.kind) {
    case "text":
      return type.text;
    case "object":
      return block(type.members, indent);
    case "union":
      return type.of.map((one) => broken(one, indent)).join(" | ");
    case "array":
      return type.of.kind === "union"
        ? `readonly (${within(type.of.of, indent)})[]`
        : `readonly ${broken(type.of, indent)}[]`;
    case "masked":
      return type.of.kind === "union" ? `Masked<${within(type.of.of, indent)}>` : flat(type);
  }
}

function within(of: readonly TypeNode[], indent: number): string {
  return `${options(of, indent + 2)}\n${" ".repeat(indent)}`;
}

function options(of: readonly TypeNode[], indent: number): string {
  return of.map((one) => `\n${" ".repeat(indent)}| ${broken(one, indent)}`).join("");
}

/** True for a type that contains an object, which is always written with one member a line. */
function holdsObject(type: TypeNode): boolean {
  switch (type.kind) {
    case "text":
      return false;
    case "object":
      return type.members.length > 0;
    case "union":
      return type.of.some(holdsObject);
    case "array":
    case "masked":
      return holdsObject(type.of);
  }
}

/** Returns the type on one line. */
function flat(type: TypeNode): string {
  switch (type.kind) {
    case "text":
      return type.text;
    case "union":
      return type.of.map(flat).join(" | ");
    case "array":
      return type.of.kind === "union"
        ? `readonly (${flat(type.of)})[]`
        : `readonly ${flat(type.of)}[]`;
    case "masked":
      return `Masked<${flat(type.of)}>`;
    case "object":
      return type.members.length === 0
        ? EMPTY
        : `{ ${type.members.map((one) => `${headOf(one)} ${flat(one.type)}`).join("; ")} }`;
  }
}

/** Type of an empty object. `{}` would accept any value. */
const EMPTY = "Record<never, never>";

function block(members: readonly TypeMember[], indent: number): string {
  if (members.length === 0) return indent === 0 ? "{}" : EMPTY;
  const inner = indent + 2;
  const lines = members.map((one) =>
    commentLine(one.comment, inner) +
    statement(" ".repeat(inner) + headOf(one), one.type, inner)
  );
  return `{\n${lines.map((line) => `${line}\n`).join("")}${" ".repeat(indent)}}`;
}

function headOf({ name, optional }: TypeMember): string {
  return name === null
    ? "readonly [name: string]:"
    : `readonly ${typescriptProperty(name)}${optional ? "?" : ""}:`;
}

function commentLine(comment: string, indent: number): string {
  return comment === "" ? "" : `${" ".repeat(indent)}${typescriptComment(comment)}\n`;
}
