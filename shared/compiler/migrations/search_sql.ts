/**
 * Writes SQL of a table's full-text index: FTS5, the ids of its rows, the numbers of its tenants, and the triggers that update
 * them (docs/decisions/reads.md).
 */
import { sqlIdentifier as name } from "../../lib/sql_text.ts";
import type { SqlSearch } from "../../model/mod.ts";
import * as fullText from "../../surface/mod.ts";

export function createSearch(table: string, search: SqlSearch): readonly string[] {
  const { tenant } = search;
  return tenant === undefined
    ? createPlainSearch(table, search)
    : createTenantSearch(table, { ...search, tenant });
}

/** Returns SQL that drops the index in the form in which it was created. One of an older compile has no tenants. */
export function dropSearch(table: string, search: SqlSearch): readonly string[] {
  const { index, keys, tenants } = fullText.searchTablesOf(table);
  return [
    ...fullText.searchTriggersOf(table, search).map((trigger) => `DROP TRIGGER ${name(trigger)}`),
    `DROP TABLE ${name(index)}`,
    `DROP TABLE ${name(keys)}`,
    ...search.tenant === undefined ? [] : [`DROP TABLE ${name(tenants)}`],
  ];
}

/** Returns SQL of an index whose table has no tenants. */
function createPlainSearch(table: string, { key, columns }: SqlSearch): readonly string[] {
  const { index, keys, triggers } = namesOf(table);
  const texts = columns.map(name);
  const row = (of: string) => `(SELECT n FROM ${keys} WHERE id = ${of}.${name(key)})`;
  const into = `INSERT INTO ${index} (rowid, ${texts.join(", ")})`;
  const values = (of: string) => texts.map((text) => `${of}.${text}`).join(", ");
  return [
    // A VACUUM renumbers rows of a table with text keys. Integer keys keep their row numbers.
    `CREATE TABLE ${keys} (\n  n integer PRIMARY KEY,\n  id NOT NULL UNIQUE\n)`,
    createIndex(index, texts, [2, 3]),
    `INSERT INTO ${keys} (id) SELECT ${name(key)} FROM ${name(table)}`,
    `${into} SELECT k.n, ${values("t")} FROM ${keys} AS k JOIN ${name(table)} AS t ON t.${
      name(key)
    } = k.id`,
    trigger(table, triggers.insert, "INSERT", [
      `INSERT INTO ${keys} (id) VALUES (new.${name(key)})`,
      `${into} VALUES (${row("new")}, ${values("new")})`,
    ]),
    trigger(table, triggers.update, `UPDATE OF ${texts.join(", ")}`, [
      `UPDATE ${index} SET ${
        texts.map((text) => `${text} = new.${text}`).join(", ")
      } WHERE rowid = ${row("new")}`,
    ]),
    trigger(table, triggers.delete, "DELETE", [
      `DELETE FROM ${index} WHERE rowid = ${row("old")}`,
      `DELETE FROM ${keys} WHERE id = old.${name(key)}`,
    ]),
  ];
}

/**
 * Returns SQL of an index with tenants. Its rows are numbered tenant by tenant, so that a search reads only its caller's rows.
 */
function createTenantSearch(
  table: string,
  search: SqlSearch & { readonly tenant: string },
): readonly string[] {
  const { index, keys, tenants, triggers } = namesOf(table);
  const texts = search.columns.map(name);
  const [key, tenant] = [name(search.key), name(search.tenant)];
  const differs = (columns: readonly string[]) =>
    columns.map((column) => `old.${column} IS NOT new.${column}`).join(" OR ");
  const indexed = (of: string) =>
    `INSERT INTO ${index} (rowid, ${texts.join(", ")}) SELECT k.n, ${
      texts.map((text) =>
        `${fullText.tenantMarkSql(fullText.tenantOfRowSql("k.n"))} || ' ' || ${of}.${text}`
      ).join(", ")
    } FROM ${keys} AS k`;
  const insertion = [
    `INSERT INTO ${tenants} (tenant) SELECT new.${tenant} WHERE new.${tenant} IS NOT NULL AND ` +
    `NOT EXISTS (SELECT 1 FROM ${tenants} WHERE tenant = new.${tenant})`,
    `INSERT INTO ${keys} (n, id) ${nextRow({ keys, tenants, tenant, key })}`,
    `${indexed("new")} WHERE k.id = new.${key}`,
  ];
  const rowOf = (of: string, number = "n") =>
    `(SELECT ${number} FROM ${keys} WHERE id = ${of}.${key})`;
  const removal = (of: string) => [
    `DELETE FROM ${index} WHERE rowid = ${rowOf(of)}`,
    // Removes a tenant without rows.
    `DELETE FROM ${tenants} WHERE n = ${rowOf(of, fullText.tenantOfRowSql("n"))} AND NOT EXISTS ` +
    `(SELECT 1 FROM ${keys} AS k WHERE ${
      fullText.tenantRowsSql("k.n", `${tenants}.n`)
    } AND k.id <> ${of}.${key})`,
    `DELETE FROM ${keys} WHERE id = ${of}.${key}`,
  ];
  return [
    `CREATE TABLE ${tenants} (\n  n integer PRIMARY KEY CHECK (n BETWEEN 1 AND ${fullText.TENANTS_MAX}),\n  tenant NOT NULL UNIQUE\n)`,
    `CREATE TABLE ${keys} (\n  n integer PRIMARY KEY,\n  id NOT NULL UNIQUE\n)`,
    createIndex(
      index,
      texts,
      Array.from({ length: fullText.SEARCH_PREFIX_LETTERS }, (_, at) => at + 1),
    ),
    `INSERT INTO ${tenants} (tenant) SELECT DISTINCT ${tenant} FROM ${name(table)} ` +
    `WHERE ${tenant} IS NOT NULL ORDER BY ${tenant}`,
    `INSERT INTO ${keys} (n, id) SELECT ${fullText.firstRowSql("coalesce(o.n, 0)")} - 1 + ` +
    `row_number() OVER (PARTITION BY t.${tenant} ORDER BY t.${key}), t.${key} ` +
    `FROM ${name(table)} AS t LEFT JOIN ${tenants} AS o ON o.tenant = t.${tenant}`,
    `${indexed("t")} JOIN ${name(table)} AS t ON t.${key} = k.id ORDER BY k.n`,
    // SQLite deletes the row that `REPLACE` conflicts with without firing triggers.
    trigger(table, triggers.insert, "INSERT", [...removal("new"), ...insertion]),
    trigger(table, triggers.update, `UPDATE OF ${texts.join(", ")}`, [
      `DELETE FROM ${index} WHERE rowid = ${rowOf("new")}`,
      `${indexed("new")} WHERE k.id = new.${key}`,
    ], differs(texts)),
    trigger(
      table,
      triggers.move,
      `UPDATE OF ${[...new Set([tenant, key])].join(", ")}`,
      [...removal("old"), ...insertion],
      differs([...new Set([tenant, key])]),
    ),
    trigger(table, triggers.delete, "DELETE", removal("old")),
  ];
}

/** Returns the number after the tenant's last row. If that row has the tenant's last number, it is the first free number. */
function nextRow(
  { keys, tenants, tenant, key }: Readonly<Record<"keys" | "tenants" | "tenant" | "key", string>>,
): string {
  const last = `o.first + ${fullText.TENANT_ROWS - 1}`;
  return `SELECT coalesce(` +
    `(SELECT CASE WHEN k.n < ${last} THEN k.n + 1 END FROM ${keys} AS k ` +
    `WHERE k.n BETWEEN o.first AND ${last} ORDER BY k.n DESC LIMIT 1), ` +
    `(SELECT k.n + 1 FROM ${keys} AS k WHERE k.n BETWEEN o.first AND ${last} - 1 AND ` +
    `NOT EXISTS (SELECT 1 FROM ${keys} AS f WHERE f.n = k.n + 1) ORDER BY k.n LIMIT 1), ` +
    `o.first), new.${key} FROM (SELECT ${
      fullText.firstRowSql(`coalesce((SELECT n FROM ${tenants} WHERE tenant = new.${tenant}), 0)`)
    } AS first) AS o`;
}

function createIndex(
  index: string,
  texts: readonly string[],
  prefixes: readonly number[],
): string {
  return `CREATE VIRTUAL TABLE ${index} USING fts5(${
    texts.join(", ")
  }, tokenize = 'unicode61 remove_diacritics 2', prefix = '${prefixes.join(" ")}')`;
}

function trigger(
  table: string,
  called: string,
  when: string,
  body: readonly string[],
  condition?: string,
): string {
  return `CREATE TRIGGER ${called} AFTER ${when} ON ${name(table)}${
    condition === undefined ? "" : ` WHEN ${condition}`
  } BEGIN\n${body.map((statement) => `  ${statement};\n`).join("")}END`;
}

function namesOf(table: string) {
  const { index, keys, tenants, triggers } = fullText.searchTablesOf(table);
  return {
    index: name(index),
    keys: name(keys),
    tenants: name(tenants),
    triggers: {
      insert: name(triggers.insert),
      update: name(triggers.update),
      move: name(triggers.move),
      delete: name(triggers.delete),
    },
  };
}
