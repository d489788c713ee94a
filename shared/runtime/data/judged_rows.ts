/** Judges rows with known values, whether they are stored or not (docs/decisions/relations.md). */
import { columnNamed, followsRelations, type RowRule, sightOf } from "../../surface/mod.ts";
import type { Soon } from "../../lib/soon.ts";
import type { ResourceModel } from "../../model/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import {
  cellSql,
  inSql,
  isBehindColumns,
  knownRowSql,
  rowSatisfies,
  ruleSql,
} from "./conditions.ts";
import { ROW } from "./projection.ts";
import { EVERY_ROW } from "./sql.ts";
import type { Firewall, JudgedRows, JudgedWrite, JudgedWrites, StoredRow } from "./types.ts";

/**
 * Returns for each row whether the rule holds. The answer is synchronous if the rule follows no relation; otherwise each row
 * needs one look-up.
 */
export function judgeRows(
  reader: Reader,
  { rule, rows, firewall }: JudgedRows,
): Soon<readonly boolean[]> {
  if (rows.length === 0) return [];
  if (!followsRelations(rule)) return rows.map((row) => rowSatisfies(rule, row, firewall));
  return lookedUp(reader, { rule, rows, firewall });
}

async function lookedUp(
  reader: Reader,
  { rule, rows, firewall }: JudgedRows,
): Promise<readonly boolean[]> {
  const statements = rows.map((row) => {
    const { sql, args } = knownRowSql(rule, row, firewall);
    return { sql: `SELECT coalesce(${sql}, 0)`, args };
  });
  const [only] = statements;
  const results = only && statements.length === 1
    ? [await reader.run(only)]
    : await reader.runAll(statements);
  return results.map(({ rows: [row] }) => row?.[0] === 1);
}

/** Returns all firewall members that follow relations as one rule; null: there are none. */
export function relationRule({ predicates }: Firewall): RowRule | null {
  const of = predicates.flatMap((member) =>
    member.kind === "rule" && followsRelations(member.predicate) ? [member.predicate] : []
  );
  return of.length === 0 ? null : { kind: "all", of };
}

/** True when a read by the firewall's caller would find the row. */
export function isVisible(
  reader: Reader,
  row: StoredRow,
  rule: RowRule | null,
  firewall: Firewall,
): Soon<boolean> {
  if (!isBehindColumns(row, firewall)) return false;
  const related = relationRule(firewall);
  const rules = [related, rule].filter((one) => one !== null);
  if (rules.length === 0) return true;
  const whole: RowRule = { kind: "all", of: rules };
  if (!followsRelations(whole)) return rowSatisfies(whole, row, firewall);
  return lookedUp(reader, { rule: whole, rows: [row], firewall })
    .then(([holds]) => holds === true);
}

/** Tells for each row that this transaction wrote, by id, whether it satisfies the firewall's relations and a rule. */
export async function judgeWritten(
  transaction: Transaction,
  { firewall, related, rule, ids }: JudgedWrites,
): Promise<ReadonlyMap<SqlValue, JudgedWrite>> {
  const { table } = firewall;
  const [behind, allowed] = [related, rule].map((one) =>
    one === null ? EVERY_ROW : ruleSql(one, { firewall, alias: ROW, reading: "row" })
  );
  const key = cellSql(columnNamed(table.primaryKey, table), ROW);
  const named = inSql(key, ids);
  const { rows } = await transaction.run({
    sql: `SELECT ${key}, coalesce(${behind?.sql}, 0), coalesce(${allowed?.sql}, 0) ` +
      `FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${named.sql}`,
    args: [...behind?.args ?? [], ...allowed?.args ?? [], ...named.args],
  });
  return new Map(
    rows.map(([id = null, isBehind, isAllowed]) =>
      [id, { isBehind: isBehind === 1, isAllowed: isAllowed === 1 }] as const
    ),
  );
}

/** Returns the columns of a row that rules show plain to the caller. */
export function shownColumns(
  reader: Reader,
  row: StoredRow,
  resource: ResourceModel,
  firewall: Firewall,
): Soon<ReadonlySet<string>> {
  const sights = Object.keys(resource.masks).flatMap((name) => {
    const sight = sightOf(resource, name, firewall.principal);
    return sight.kind === "byRow" ? [{ name, rule: sight.rows }] : [];
  });
  if (sights.length === 0) return NOTHING_SHOWN;
  return shownOf(sights, (rule) => judgeRows(reader, { rule, rows: [row], firewall }));
}

const NOTHING_SHOWN: ReadonlySet<string> = new Set();

async function shownOf(
  sights: readonly { readonly name: string; readonly rule: RowRule }[],
  judge: (rule: RowRule) => Soon<readonly boolean[]>,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const { name, rule } of sights) {
    if ((await judge(rule))[0] === true) shown.add(name);
  }
  return shown;
}
