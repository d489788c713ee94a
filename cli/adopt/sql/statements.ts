/** Splits an SQL file into statements, without a dump's rows and without the part that undoes a migration. */
import { type Dialect, type Token, tokensOf } from "./tokens.ts";

export interface SqlFile {
  readonly path: string;
  readonly text: string;
}

export interface SqlStatement {
  readonly tokens: readonly Token[];
  /** Place such as `line 12`, with the file if there are several. */
  readonly place: string;
}

/** Blocks that are not statements of a schema, each with a description. */
export interface LeftBlock {
  readonly what: string;
  readonly place: string;
}

interface Split {
  readonly statements: readonly SqlStatement[];
  readonly blocks: readonly LeftBlock[];
}

export function statementsOf(
  { path, text }: SqlFile,
  dialect: Dialect,
  isAlone: boolean,
): Split {
  const placeOf = (line: number) => isAlone ? `line ${line}` : `${path}:${line}`;
  const blocks: LeftBlock[] = [];
  const left = (what: string) => (block: string, ...rest: readonly unknown[]) => {
    const offset = rest.find((one) => typeof one === "number") ?? 0;
    const line = text.slice(0, Number(offset)).split("\n").length;
    blocks.push({ what, place: placeOf(line) });
    return block.replace(/[^\n]/g, " ");
  };
  const plain = text
    .replace(/^[ \t]*COPY [^;]*\bFROM stdin\b[^;]*;[^\n]*\n[\s\S]*?^\\\.$/gim, left(ROWS))
    .replace(DOWN, left("what undoes a migration is no part of a schema"))
    .replace(
      /^[ \t]*DELIMITER[ \t]+(?!;)(\S+)[ \t]*$[\s\S]*?^[ \t]*DELIMITER[ \t]+;?[ \t]*$/gim,
      left(ROUTINE),
    )
    .replace(/^\\[^\n]*$/gm, left("a command of psql is no part of a schema"));
  const statements = cut(tokensOf(plain, dialect)).map((tokens) => (
    { tokens, place: placeOf(tokens[0]?.line ?? 1) }
  ));
  return { statements, blocks };
}

export const ROWS = "rows are not imported: the guide says how they move";
export const ROUTINE = "functions, procedures and triggers become actions, hooks or jobs";

/** Down sections of goose, dbmate and sql-migrate. */
const DOWN =
  /^-- *(?:\+goose|\+migrate) +Down[\s\S]*?(?=^-- *\+(?:goose|migrate) +Up|(?![\s\S]))|^-- *migrate:down[\s\S]*?(?=^-- *migrate:up|(?![\s\S]))/gim;

/** Splits at semicolons, at `GO` on a line of its own, and at the end of a body in words. */
function cut(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const found: Token[][] = [];
  let open: Token[] = [];
  let depth = 0;
  const end = () => {
    if (open.length > 0) found.push(open);
    open = [];
    depth = 0;
  };
  tokens.forEach((token, at) => {
    const isBody = isRoutine(open);
    if (isBody && token.kind === "word") depth += WORDS_THAT_OPEN.get(token.value) ?? 0;
    const isAlone = token.value === "go" && token.line !== tokens[at - 1]?.line &&
      token.line !== tokens[at + 1]?.line;
    if (token.kind === "sign" && token.value === ";" && (!isBody || depth <= 0)) end();
    else if (token.kind === "word" && isAlone) end();
    else open.push(token);
  });
  end();
  return found;
}

const WORDS_THAT_OPEN = new Map([["begin", 1], ["case", 1], ["end", -1]]);

function isRoutine(tokens: readonly Token[]): boolean {
  if (tokens[0]?.value !== "create") return false;
  return tokens.slice(1, 12).some(({ kind, value }) =>
    kind === "word" && ["trigger", "function", "procedure"].includes(value)
  );
}
