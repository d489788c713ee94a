/** Represents a TypeScript expression that is not yet split into lines. Emitters build it and `print` lays it out. */
import { typescriptComment, typescriptString } from "../../../../lib/typescript_text.ts";
import type { JsonValue } from "../../../../contract/mod.ts";

export const LINE_WIDTH = 100;

export type Source =
  /** Text that is printed unchanged. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly Source[] }
  | { readonly kind: "object"; readonly entries: readonly Entry[] }
  | Call
  /** A chain `head.link(…).link(…)`. */
  | { readonly kind: "chain"; readonly head: Call; readonly links: readonly Call[] };

export interface Call {
  readonly kind: "call";
  readonly callee: string;
  readonly args: readonly Source[];
}

export interface Entry {
  /** Key as written in source: plain or quoted. */
  readonly key: string;
  readonly value: Source;
}

/** Returns text as source. It is only for text that an emitter wrote itself; text from definitions goes through `string`. */
export function text(value: string): Source {
  return { kind: "text", text: value };
}

export function string(value: string): Source {
  return text(typescriptString(value));
}

export function array(items: readonly Source[]): Source {
  return { kind: "array", items };
}

export function object(entries: readonly (readonly [string, Source])[]): Source {
  return {
    kind: "object",
    // A plain `__proto__` in a literal would set the prototype.
    entries: entries.map(([key, value]) => ({
      key: key === "__proto__" ? `["__proto__"]` : isIdentifier(key) ? key : typescriptString(key),
      value,
    })),
  };
}

export function call(callee: string, args: readonly Source[] = []): Call {
  return { kind: "call", callee, args };
}

export function chain(head: Call, links: readonly Call[]): Source {
  return links.length === 0 ? head : { kind: "chain", head, links };
}

export type JsonObject = { readonly [key: string]: JsonValue };

/** Writes an object in another form that evaluates to the same value. */
type Spelling = (value: JsonObject, whole: (value: JsonValue) => Source) => Source;

/** Returns a JSON value as the literal that evaluates to it. */
export function literal(value: JsonValue, spelling: Spelling = writtenOut): Source {
  const whole = (member: JsonValue) => literal(member, spelling);
  if (typeof value === "string") return string(value);
  if (value === null || typeof value !== "object") return text(JSON.stringify(value));
  if (isList(value)) return array(value.map(whole));
  return spelling(value, whole);
}

function writtenOut(value: JsonObject, whole: (value: JsonValue) => Source): Source {
  return object(Object.entries(value).map(([key, member]) => [key, whole(member)]));
}

/** Returns `owner.key`, or brackets if the key is no identifier. */
export function member(owner: string, key: string): string {
  return isIdentifier(key) ? `${owner}.${key}` : `${owner}[${typescriptString(key)}]`;
}

function isIdentifier(key: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the functions and tags that the sources name. */
export function namesIn(sources: readonly Source[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [...sources];
  for (let source = pending.pop(); source; source = pending.pop()) {
    switch (source.kind) {
      case "text":
        if (/^(\(\) => )?sql`/.test(source.text)) names.add("sql");
        break;
      case "array":
        pending.push(...source.items);
        break;
      case "object":
        for (const { value } of source.entries) pending.push(value);
        break;
      case "call":
        // Drops its type arguments.
        names.add(source.callee.split("<", 1)[0] ?? "");
        pending.push(...source.args);
        break;
      case "chain":
        pending.push(source.head, ...source.links);
        break;
    }
  }
  return names;
}

/** Represents an import of a generated module, and writes the module's comment, imports and content. */
export interface Import {
  readonly from: string;
  /** Imported names: `sql`, `type AnySQLiteColumn`, `type * as schema`; null: the module is imported for its effects. */
  readonly names: readonly string[] | null;
}

export function moduleText({ comment, imports, statements }: {
  readonly comment: string;
  readonly imports: readonly Import[];
  readonly statements: readonly string[];
}): string {
  const used = imports.filter(({ names }) => names?.length !== 0);
  const parts = [
    [typescriptComment(comment), ...used.map(importLine)].join("\n"),
    ...statements,
  ];
  return `${parts.join("\n\n")}\n`;
}

function importLine({ from, names }: Import): string {
  const end = `from ${typescriptString(from)};`;
  if (names === null) return `import ${typescriptString(from)};`;
  const sorted = [...names].sort((a, b) => {
    const [left, right] = [a, b].map((name) => name.replace(/^type /, "").toLowerCase());
    return left === right || left === undefined || right === undefined ? 0 : left < right ? -1 : 1;
  });
  const [whole] = sorted;
  if (whole?.includes("*")) return `import ${whole} ${end}`;
  const alone = sorted.length === 1 ? /^(type )?default as (.+)$/.exec(whole ?? "") : null;
  if (alone) return `import ${alone[1] ?? ""}${alone[2]} ${end}`;
  const line = `import { ${sorted.join(", ")} } ${end}`;
  return line.length <= LINE_WIDTH
    ? line
    : `import {\n${sorted.map((name) => `  ${name},\n`).join("")}} ${end}`;
}
