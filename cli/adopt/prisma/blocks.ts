/** Parses a Prisma or ZenStack schema into blocks of lines; it ignores unknown parts that either language may add. */

export interface Attribute {
  readonly name: string;
  /** Text between its parentheses; empty: there is none. */
  readonly args: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
  readonly attributes: readonly Attribute[];
  /** Text of the lines with three slashes before it. */
  readonly comment: string;
  readonly line: number;
}

export interface Block {
  /** Keyword of the block: `model`, `view`, `enum`, `type`, … */
  readonly kind: string;
  readonly name: string;
  /** Blocks that it inherits from: `extends Base`, `with Base`. */
  readonly bases: readonly string[];
  readonly fields: readonly Field[];
  readonly attributes: readonly Attribute[];
  readonly comment: string;
  /** Numbers of lines that cannot be read. */
  readonly unread: readonly number[];
}

export function blocksOf(text: string): readonly Block[] {
  const lines = withoutComments(text).split("\n");
  const blocks: Block[] = [];
  let comment = "";
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    if (line.startsWith("///")) {
      comment = joined(comment, line);
      continue;
    }
    const [, kind = "", name = "", rest = "", sameLine = ""] = OPENING.exec(line) ?? [];
    if (kind !== "") {
      const end = endOf(lines, at);
      const body = end === at ? [sameLine.replace(/\}\s*$/, "")] : lines.slice(at + 1, end);
      blocks.push(readBlock({ kind, name, rest, comment }, body, at + 2));
      at = end;
    }
    if (line !== "") comment = "";
  }
  return blocks;
}

const OPENING =
  /^(?:abstract\s+)?(model|view|enum|type|datasource|generator|plugin|mixin|procedure)\s+(\w+)\s*([^{]*)\{(.*)$/;

/** Returns the line of the closing brace. */
function endOf(lines: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < lines.length; at++) {
    for (const sign of withoutTexts(lines[at] ?? "")) {
      if (sign === "{") depth++;
      if (sign === "}" && --depth === 0) return at;
    }
  }
  return lines.length;
}

interface Head {
  readonly kind: string;
  readonly name: string;
  readonly rest: string;
  readonly comment: string;
}

function readBlock(
  { kind, name, rest, comment }: Head,
  lines: readonly string[],
  first: number,
): Block {
  const fields: Field[] = [];
  const attributes: Attribute[] = [];
  const unread: number[] = [];
  let above = "";
  for (let at = 0; at < lines.length; at++) {
    const begun = at;
    let line = (lines[at] ?? "").trim();
    // An attribute continues until its parentheses are closed.
    while (depthOf(line) > 0 && at + 1 < lines.length) line += ` ${(lines[++at] ?? "").trim()}`;
    if (line === "") continue;
    if (line.startsWith("///")) {
      above = joined(above, line);
      continue;
    }
    if (line.startsWith("@@")) attributes.push(...attributesOf(line));
    else {
      const field = kind === "enum" ? enumValue(line) : fieldOf(line);
      if (field) fields.push({ ...field, comment: above, line: first + begun });
      else unread.push(first + begun);
    }
    above = "";
  }
  const bases = [...rest.matchAll(/\w+/g)].map(([word]) => word)
    .filter((word) => !["extends", "with"].includes(word));
  return { kind, name, bases, fields, attributes, comment, unread };
}

function enumValue(line: string): Omit<Field, "comment" | "line"> | null {
  const [, name, rest = ""] = /^([\w-]+)\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) return null;
  return { name, type: "", isList: false, isOptional: false, attributes: attributesOf(rest) };
}

function fieldOf(line: string): Omit<Field, "comment" | "line"> | null {
  const [, name, type, signs = "", rest = ""] =
    /^(\w+)\s+(\w+(?:\("[^"]*"\))?)((?:\[\]|\?|!)*)\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || type === undefined) return null;
  return {
    name,
    type,
    isList: signs.includes("[]"),
    isOptional: signs.includes("?"),
    attributes: attributesOf(rest),
  };
}

/** Reads attributes such as `@default(now()) @db.VarChar(20)`. */
function attributesOf(text: string): readonly Attribute[] {
  const found: Attribute[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at)) {
    const [all = "@", name = ""] = /^@@?([\w.]*)\s*/.exec(text.slice(at)) ?? [];
    at += all.length;
    const end = text[at] === "(" ? closing(text, at) : at;
    found.push({ name, args: text.slice(at + 1, Math.max(at + 1, end)).trim() });
    at = Math.max(at, end);
  }
  return found;
}

/** Returns the place of the parenthesis that closes the one at `from`. */
function closing(text: string, from: number): number {
  const plain = withoutTexts(text);
  let depth = 0;
  for (let at = from; at < plain.length; at++) {
    if (plain[at] === "(") depth++;
    if (plain[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

function depthOf(line: string): number {
  const plain = withoutTexts(line);
  return plain.split("(").length - plain.split(")").length;
}

/** Replaces quoted texts by blanks, so that signs inside them are ignored. */
function withoutTexts(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (all) => " ".repeat(all.length));
}

/** Replaces comments by blanks, except those with three slashes. */
function withoutComments(text: string): string {
  return text.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/\/[^\n]*|\/\/[^\n]*/g,
    (all) =>
      all.startsWith("/*")
        ? all.replace(/[^\n]/g, " ")
        : all.startsWith("//") && !all.startsWith("///")
        ? ""
        : all,
  ).replace(/\r/g, "");
}

function joined(before: string, line: string): string {
  const text = line.replace(/^\/+\s*/, "").trim();
  return before === "" ? text : `${before} ${text}`;
}

/** Splits arguments at commas outside of parentheses, brackets and quoted texts. */
export function argumentsOf(args: string): readonly string[] {
  const plain = withoutTexts(args);
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= plain.length; at++) {
    const sign = plain[at];
    if (sign === "(" || sign === "[" || sign === "{") depth++;
    if (sign === ")" || sign === "]" || sign === "}") depth--;
    if (at === plain.length || (sign === "," && depth === 0)) {
      parts.push(args.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.filter((part) => part !== "");
}

/** Returns an argument by its name, or the first one without a name; null: there is none. */
export function argument(args: string, name: string, isFirst = false): string | null {
  const parts = argumentsOf(args);
  const named = parts.find((part) => new RegExp(`^${name}\\s*:`).test(part));
  if (named !== undefined) return named.replace(/^\w+\s*:\s*/, "");
  return isFirst ? parts.find((part) => !/^\w+\s*:/.test(part)) ?? null : null;
}

/** Returns the names in `[a, b(sort: Desc), c(ops: X)]`. */
export function namesIn(list: string | null): readonly string[] {
  if (list === null) return [];
  const inner = list.replace(/^\[|\]$/g, "");
  return argumentsOf(inner).map((part) => part.replace(/[(\s].*$/s, ""));
}

/** Returns the value of a text in single or double quotes; null: it is not one. */
export function textIn(written: string | null): string | null {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(written ?? "") ??
    [];
  const inner = double ?? single;
  return inner === undefined
    ? null
    : inner.replace(/\\(.)/gs, (_all, sign: string) =>
      sign === "n" ? "\n" : sign === "t" ? "\t" : sign);
}
