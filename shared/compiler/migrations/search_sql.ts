/** SQL of a table's full-text index: FTS5, the ids of its rows, and the triggers that keep both (docs/decisions/reads.md). */
import { sqlIdentifier as name } from "../../lib/sql_text.ts";
import type { SqlSearch } from "../../model/mod.ts";
import { searchTablesOf } from "../../surface/mod.ts";

export function createSearch(table: string, { key, columns }: SqlSearch): readonly string[] {
  const names = searchTablesOf(table);
  const [index, keys] = [name(names.index), name(names.keys)];
  const texts = columns.map(name);
  const row = (of: string) => `(SELECT n FROM ${keys} WHERE id = ${of}.${name(key)})`;
  const trigger = (event: keyof typeof names.triggers, when: string, body: readonly string[]) =>
    `CREATE TRIGGER ${name(names.triggers[event])} AFTER ${when} ON ${name(table)} BEGIN\n${
      body.map((statement) => `  ${statement};\n`).join("")
    }END`;
  const into = `INSERT INTO ${index} (rowid, ${texts.join(", ")})`;
  const values = (of: string) => texts.map((text) => `${of}.${text}`).join(", ");
  return [
    // Row numbers of a table with keys of text are others after a VACUUM; those of an integer key stay.
    `CREATE TABLE ${keys} (\n  n integer PRIMARY KEY,\n  id NOT NULL UNIQUE\n)`,
    `CREATE VIRTUAL TABLE ${index} USING fts5(${
      texts.join(", ")
    }, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
    `INSERT INTO ${keys} (id) SELECT ${name(key)} FROM ${name(table)}`,
    `${into} SELECT k.n, ${values("t")} FROM ${keys} AS k JOIN ${name(table)} AS t ON t.${
      name(key)
    } = k.id`,
    trigger("insert", "INSERT", [
      `INSERT INTO ${keys} (id) VALUES (new.${name(key)})`,
      `${into} VALUES (${row("new")}, ${values("new")})`,
    ]),
    trigger("update", `UPDATE OF ${texts.join(", ")}`, [
      `UPDATE ${index} SET ${
        texts.map((text) => `${text} = new.${text}`).join(", ")
      } WHERE rowid = ${row("new")}`,
    ]),
    trigger("delete", "DELETE", [
      `DELETE FROM ${index} WHERE rowid = ${row("old")}`,
      `DELETE FROM ${keys} WHERE id = old.${name(key)}`,
    ]),
  ];
}

export function dropSearch(table: string): readonly string[] {
  const { index, keys, triggers } = searchTablesOf(table);
  return [
    ...Object.values(triggers).map((trigger) => `DROP TRIGGER ${name(trigger)}`),
    `DROP TABLE ${name(index)}`,
    `DROP TABLE ${name(keys)}`,
  ];
}
