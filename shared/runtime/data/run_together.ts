/** Statements that make one answer, on one snapshot. */
import type { Reader, ResultSet, Statement } from "../ports.ts";

/** A single statement needs no transaction around it. */
export async function runTogether(
  reader: Reader,
  statements: readonly Statement[],
): Promise<ResultSet[]> {
  const [only] = statements;
  if (only && statements.length === 1) return [await reader.run(only)];
  return [...await reader.runAll(statements)];
}

export function resultAt(results: readonly ResultSet[], at: number): ResultSet {
  const result = results[at];
  if (!result) throw new Error("The database answered fewer statements than it was asked");
  return result;
}
