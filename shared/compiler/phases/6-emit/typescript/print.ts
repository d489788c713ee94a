/** Lays out a `Source` as `deno fmt` would: on one line if it fits, else one member a line. */
import { type Entry, LINE_WIDTH, type Source } from "./source.ts";

const STEP = 2;

/** Position of the next piece of source. */
interface Position {
  /** Spaces before the line's first character. */
  readonly indent: number;
  /** Characters already used on the line, the indent included. */
  readonly used: number;
  /** Characters that must follow on the last line: `;`, `,`. */
  readonly after: number;
}

/** Returns a statement such as `export const name = …;`: the text before the source, the source, and a semicolon. */
export function statement(before: string, source: Source): string {
  return `${before}${print(source, { indent: 0, used: before.length, after: 1 })};`;
}

export function print(source: Source, position: Position): string {
  const line = flat(source);
  return fits(line, position) ? line : broken(source, position);
}

/** Prints one member a line, even if one line is enough. */
export function printLines(source: Source): string {
  return broken(source, { indent: 0, used: 0, after: 0 });
}

function fits(line: string, { used, after }: Position): boolean {
  return used + line.length + after <= LINE_WIDTH;
}

function flat(source: Source): string {
  switch (source.kind) {
    case "text":
      return source.text;
    case "array":
      return `[${source.items.map(flat).join(", ")}]`;
    case "object":
      return source.entries.length === 0
        ? "{}"
        : `{ ${source.entries.map(({ key, value }) => `${key}: ${flat(value)}`).join(", ")} }`;
    case "call":
      return `${source.callee}(${source.args.map(flat).join(", ")})`;
    case "chain":
      return [source.head, ...source.links].map(flat).join(".");
  }
}

function broken(source: Source, position: Position): string {
  switch (source.kind) {
    case "text":
      return source.text;
    case "array":
      return block("[]", source.items.map((item) => member(item, position.indent)), position);
    case "object":
      return block("{}", source.entries.map((entry) => property(entry, position.indent)), position);
    case "call": {
      // The last argument breaks while the others stay on the call's line; if they do not fit there, each argument gets a line.
      const { callee, args } = source;
      const last = args.at(-1);
      if (last === undefined) return `${callee}()`;
      const before = [...args.slice(0, -1).map((arg) => `${flat(arg)}, `)].join("");
      const opening = `${callee}(${before}`;
      const hugs = last.kind === "object" || last.kind === "array";
      if (hugs && position.used + opening.length + 1 <= LINE_WIDTH) {
        return `${opening}${broken(last, position)})`;
      }
      return callee + block("()", args.map((arg) => member(arg, position.indent)), position);
    }
    case "chain": {
      if (!fits(flat(source.head), { ...position, after: 0 })) {
        const start = broken(source.head, position);
        const tail = source.links.map((link) => `.${flat(link)}`).join("");
        return start + tail;
      }
      const indent = position.indent + STEP;
      const lines = source.links.map((link) =>
        `\n${" ".repeat(indent)}.${
          print(link, { indent, used: indent + 1, after: position.after })
        }`
      );
      return flat(source.head) + lines.join("");
    }
  }
}

function block(brackets: "[]" | "{}" | "()", lines: readonly string[], { indent }: Position) {
  const [open, close] = brackets;
  const inner = " ".repeat(indent + STEP);
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join("")}${
    " ".repeat(indent)
  }${close}`;
}

function member(item: Source, indent: number): string {
  const inner = indent + STEP;
  return print(item, { indent: inner, used: inner, after: 1 });
}

/** Prints a property. A text too long for its line moves below its key. */
function property({ key, value }: Entry, indent: number): string {
  const inner = indent + STEP;
  const position = { indent: inner, used: inner + key.length + 2, after: 1 };
  const moved = value.kind === "text" && !fits(value.text, position);
  const separator = moved ? `:\n${" ".repeat(inner + STEP)}` : ": ";
  return `${key}${separator}${print(value, position)}`;
}
