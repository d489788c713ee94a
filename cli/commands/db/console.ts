/** Runs `db console [folder]`: queries a database in SQL. It only reads, unless writing is allowed. */
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import NativeDatabase from "libsql";
import type { Arguments, Output } from "../../command.ts";
import { CommandError, type ExitCode } from "../../exit_codes.ts";
import { tableText } from "../../table_text.ts";
import { fileOf, targetDatabase } from "../../target_database.ts";

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";

interface Answer {
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly changes: number;
}

export async function openConsole(
  { positionals: [folder], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const file = fileOf(await targetDatabase(folder));
  const database = new NativeDatabase(file, { timeout: 5000 });
  try {
    database.exec("PRAGMA foreign_keys = ON");
    if (!flags.has("write")) database.exec("PRAGMA query_only = ON");
    const sql = values.get("execute");
    if (sql !== undefined) {
      const answers = [answerTo(sql, database)];
      output.result({ answers });
      for (const answer of answers) output.out(answerText(answer));
      return 0;
    }
    return await converse(database, file, output);
  } finally {
    database.close();
  }
}

/** Reads statements. At a terminal an error is printed and the next line is read; in a script it ends the command. */
async function converse(
  database: NativeDatabase.Database,
  file: string,
  output: Output,
): Promise<ExitCode> {
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const lines = createInterface({ input: stdin, ...(isTerminal ? { output: stdout } : {}) });
  if (isTerminal) output.err(`${file}: statements end with ";", .tables lists, .quit ends`);
  const answers: Answer[] = [];
  let sql = "";
  lines.setPrompt("sql> ");
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (sql === "" && line.trim() === ".quit") break;
    sql = sql === "" && line.trim() === ".tables" ? `${TABLES};` : `${sql}${line}\n`;
    if (sql.trim() === "") sql = "";
    if (sql.trimEnd().endsWith(";")) {
      try {
        const answer = answerTo(sql.trim(), database);
        answers.push(answer);
        output.out(answerText(answer));
      } catch (error) {
        if (!isTerminal || !(error instanceof CommandError)) throw error;
        output.err(`${output.errColors.red("error")} ${error.message}`);
      }
      sql = "";
    }
    if (isTerminal) lines.prompt();
  }
  lines.close();
  if (sql.trim() !== "") throw new CommandError(`This has no ";" at its end: ${sql.trim()}`);
  output.result({ answers });
  return 0;
}

function answerTo(sql: string, database: NativeDatabase.Database): Answer {
  try {
    const statement = database.prepare(sql);
    if (!statement.reader) {
      return { sql, columns: [], rows: [], changes: statement.run().changes };
    }
    const columns = statement.columns().map(({ name }) => name);
    return { sql, columns, rows: statement.raw(true).all() as unknown[][], changes: 0 };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /readonly/.test(reason) ? "; --write allows it" : "";
    throw new CommandError(`${reason}${hint}`);
  }
}

function answerText({ columns, rows, changes }: Answer): string {
  if (columns.length === 0) return `${changes} ${changes === 1 ? "row" : "rows"} changed`;
  const cells = rows.map((row) =>
    row.map((value: unknown) => {
      if (value === null) return "NULL";
      return value instanceof Uint8Array ? `x'${value.toHex()}'` : String(value);
    })
  );
  return tableText([columns, ...cells]);
}
