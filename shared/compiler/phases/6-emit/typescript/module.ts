/** The frame of a generated module: what it is, what it imports, what it says. */
import { typescriptComment, typescriptString } from "../../../../lib/typescript_text.ts";
import { LINE_WIDTH } from "./print.ts";

export interface Import {
  readonly from: string;
  /** `sql`, `type AnySQLiteColumn`, `type * as schema`; null: imported for what it does. */
  readonly names: readonly string[] | null;
}

interface ModuleText {
  readonly comment: string;
  readonly imports: readonly Import[];
  readonly statements: readonly string[];
}

export function moduleText({ comment, imports, statements }: ModuleText): string {
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
  const sorted = [...names].sort(byName);
  const [whole] = sorted;
  if (whole?.includes("*")) return `import ${whole} ${end}`;
  const alone = sorted.length === 1 ? /^(type )?default as (.+)$/.exec(whole ?? "") : null;
  if (alone) return `import ${alone[1] ?? ""}${alone[2]} ${end}`;
  const line = `import { ${sorted.join(", ")} } ${end}`;
  return line.length <= LINE_WIDTH
    ? line
    : `import {\n${sorted.map((name) => `  ${name},\n`).join("")}} ${end}`;
}

function byName(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.replace(/^type /, "").toLowerCase());
  return left === right || left === undefined || right === undefined ? 0 : left < right ? -1 : 1;
}
