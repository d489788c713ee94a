/** Writes SQL of a total over referring rows, and the triggers that update it (docs/decisions/records.md). */
import { sqlIdentifier as name, sqlString } from "../../lib/sql_text.ts";
import type { SqlRollup } from "../../model/mod.ts";
import { ROLLUP_FAULT } from "../../surface/mod.ts";

const EVENTS = ["insert", "update", "delete", "made", "bound"] as const;

/** Returns a trigger's name with a reserved part, so that no author's trigger has the same name. */
function triggerName(table: string, { column }: SqlRollup, event: typeof EVENTS[number]): string {
  return name(`qb_${table}_${column}_${event}`);
}

export function createRollup(table: string, rollup: SqlRollup): readonly string[] {
  const { column, table: child, foreignKey, key, fn } = rollup;
  const [parent, cell, id] = [name(table), name(column), name(key)];
  const counts = (row: string) => `(${rollup.counts.join(row)})`;
  const value = (row: string) => rollup.source === null ? "1" : `(${rollup.source.join(row)})`;
  const refers = (row: string) => `${row}.${name(foreignKey)}`;
  const total = (of: string) =>
    `(SELECT ${totalOf(fn, value("c"))} FROM ${name(child)} AS c WHERE ${refers("c")} = ${of} AND ${
      counts("c")
    })`;
  const isAdded = fn === "count" || fn === "sum";
  const add = (sign: string, row: string) =>
    `UPDATE ${parent} SET ${cell} = ${cell} ${sign} coalesce(${value(row)}, 0) ` +
    `WHERE ${id} = ${refers(row)} AND ${counts(row)}`;
  const recount = (row: string) =>
    `UPDATE ${parent} SET ${cell} = ${total(`${parent}.${id}`)} WHERE ${id} = ${refers(row)}`;
  const differs = [refers, counts, value].map((part) => `${part("old")} IS NOT ${part("new")}`)
    .join(" OR ");
  const trigger = (event: typeof EVENTS[number], when: string, body: readonly string[]) =>
    `CREATE TRIGGER ${triggerName(table, rollup, event)} AFTER ${when} BEGIN\n${
      body.map((statement) => `  ${statement};\n`).join("")
    }END`;
  return [
    `UPDATE ${parent} SET ${cell} = ${total(`${parent}.${id}`)}`,
    trigger("insert", `INSERT ON ${name(child)}`, [isAdded ? add("+", "new") : recount("new")]),
    trigger(
      "update",
      `UPDATE ON ${name(child)} WHEN ${differs}`,
      isAdded ? [add("-", "old"), add("+", "new")] : [
        recount("old"),
        recount("new"),
      ],
    ),
    trigger("delete", `DELETE ON ${name(child)}`, [isAdded ? add("-", "old") : recount("old")]),
    // The database may check references at the end of a transaction, so a child may exist before its parent.
    trigger(
      "made",
      `INSERT ON ${parent} WHEN EXISTS (SELECT 1 FROM ${name(child)} AS c WHERE ${
        refers("c")
      } = new.${id})`,
      [`UPDATE ${parent} SET ${cell} = ${total(`new.${id}`)} WHERE ${id} = new.${id}`],
    ),
    ...(rollup.limit === null ? [] : [
      trigger(
        "bound",
        `UPDATE OF ${cell} ON ${parent} WHEN abs(new.${cell}) > ${rollup.limit}`,
        [`SELECT RAISE(ABORT, ${sqlString(`${ROLLUP_FAULT}${table}.${column}`)})`],
      ),
    ]),
  ];
}

/** Returns a total. Without rows, counts and sums are 0, and the least and greatest value are null. */
function totalOf(fn: SqlRollup["fn"], value: string): string {
  switch (fn) {
    case "count":
      return "count(*)";
    case "sum":
      return `coalesce(sum(${value}), 0)`;
    default:
      return `${fn}(${value})`;
  }
}

export function dropRollup(table: string, rollup: SqlRollup): readonly string[] {
  const events = EVENTS.filter((event) => event !== "bound" || rollup.limit !== null);
  return events.map((event) => `DROP TRIGGER ${triggerName(table, rollup, event)}`);
}
