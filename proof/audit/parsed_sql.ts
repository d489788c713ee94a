/** Parses one statement in SQLite's dialect, with a parser that is independent of the code that writes our SQL. */
import { type Node, type Parameter, parse, type Statement } from "sql-parser-cst";

/** Parses the text; null if it is not one statement of SQLite's. */
export function parseSql(sql: string): Statement | null {
  try {
    const { statements } = parse(sql, {
      dialect: "sqlite",
      paramTypes: ["?", "?nr"],
      includeRange: true,
    });
    const [only, ...others] = statements.filter(({ type }) => type !== "empty");
    return only !== undefined && others.length === 0 ? only : null;
  } catch {
    // The audit reports any text that the parser rejects as an unreadable statement.
    return null;
  }
}

/** Returns the numbers of parameters by position, as SQLite counts them. */
export function parameterNumbers(statement: Statement): ReadonlyMap<number, number> {
  const parameters = [...nodesBelow(statement)].filter((node) => node.type === "parameter");
  const numbers = new Map<number, number>();
  let greatest = 0;
  for (const node of parameters.sort((a, b) => startOf(a) - startOf(b))) {
    const number = node.text === "?" ? greatest + 1 : Number(node.text.slice(1));
    greatest = Math.max(greatest, number);
    numbers.set(startOf(node), number - 1);
  }
  return numbers;
}

export function startOf({ range }: Node | Parameter): number {
  return range?.[0] ?? -1;
}

function* nodesBelow(node: Node): Generator<Node, void, void> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesBelow(child);
}

export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}
