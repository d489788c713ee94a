/** A name as SQL text. Backticks: SQLite reads an unknown name in double quotes as a string. */
export function sqlIdentifier(name: string): string {
  if (name === "" || name.includes("\0")) {
    throw new Error(`Name ${JSON.stringify(name)} cannot be an SQL identifier`);
  }
  return "`" + name.replaceAll("`", "``") + "`";
}
