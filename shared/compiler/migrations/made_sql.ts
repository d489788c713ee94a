/** Writes SQL of values for rows that are older than their column's generated default (definitions 3, made defaults). */
import { sqlIdentifier as name, sqlString } from "../../lib/sql_text.ts";
import { SEQUENCES, type SqlColumn, type SqlMade, type SqlTable } from "../../model/mod.ts";

/** A sequence of a table with rows. Names are SQL names. */
export interface StartedSequence {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly isText: boolean;
  readonly createdAt: string;
  readonly form: Extract<SqlMade, { readonly kind: "sequence" }>;
}

/** Returns the sequence of a column; null: it has none. */
export function sequenceOf(
  table: SqlTable,
  { name: column, type, made }: SqlColumn,
): StartedSequence | null {
  if (made?.kind !== "sequence") return null;
  return {
    table: table.name,
    key: table.columns.find(({ primaryKey }) => primaryKey)?.name ?? "id",
    column,
    isText: type === "text",
    createdAt: createdAtOf(table),
    form: made,
  };
}

/** Returns SQL of the value for each existing row; null: it cannot be derived. */
export function madeSql(table: SqlTable, column: SqlColumn): string | null {
  const { made } = column;
  switch (made?.kind) {
    case "random":
      return randomSql(made);
    case "sequence": {
      const sequence = sequenceOf(table, column);
      return sequence && numberSql(sequence, `${made.start - 1} + ${positionSql(sequence)}`);
    }
    case "now":
      // The value is the one that the insert would have made.
      return column.of?.kind === "date"
        ? `substr(${name(createdAtOf(table))}, 1, 10)`
        : name(createdAtOf(table));
    default:
      return null;
  }
}

/** Returns the name of the creation time, in either naming convention. */
function createdAtOf({ columns }: SqlTable): string {
  return columns.some((column) => column.name === "createdAt") ? "createdAt" : "created_at";
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function randomSql({ length }: Extract<SqlMade, { readonly kind: "random" }>): string {
  const one = `substr(${sqlString(ALPHABET)}, (random() & 63) + 1, 1)`;
  return Array.from({ length }, () => one).join(" || ");
}

/** Returns SQL of the row's position among the rows of its counter. */
function positionSql({ form: { organization }, createdAt, key }: StartedSequence): string {
  const part = organization === null ? "" : `PARTITION BY ${name(organization)} `;
  return `row_number() OVER (${part}ORDER BY ${name(createdAt)}, ${name(key)})`;
}

function numberSql({ isText, form }: StartedSequence, number: string): string {
  if (!isText) return number;
  return `${sqlString(form.before)} || printf('%0${form.digits}d', ${number}) || ${
    sqlString(form.after)
  }`;
}

/** Returns SQL of the number in a value; NULL: the value does not belong to the sequence. */
function numberOfSql({ isText, column, form }: StartedSequence): string {
  const cell = name(column);
  if (!isText) return cell;
  const { before, after } = form;
  const around = Array.from(before).length + Array.from(after).length;
  const digits = `substr(${cell}, ${Array.from(before).length + 1}, length(${cell}) - ${around})`;
  return `CASE WHEN ${cell} = ${sqlString(before)} || ${digits} || ${sqlString(after)} ` +
    `AND ${digits} <> '' AND ${digits} NOT GLOB '*[^0-9]*' AND length(${digits}) < 16 ` +
    `THEN CAST(${digits} AS integer) END`;
}

/** Returns SQL that numbers rows. Existing numbers stay, and the sequence continues after the greatest. */
export function startSequence(sequence: StartedSequence): readonly string[] {
  const { table, key, column, form } = sequence;
  const { organization } = form;
  const label = `${table}.${column}`;
  const counters = name(SEQUENCES.name);
  const tenant = organization === null ? "NULL" : name(organization);
  const ids = `${sqlString(`${label} `)} || coalesce(${tenant}, '')`;
  const cell = name(column);
  const group = organization === null ? "" : ` GROUP BY ${name(organization)}`;
  const greatest = `coalesce(max(${numberOfSql(sequence)}), 0)`;
  return [
    `INSERT INTO ${counters} ("id", "sequence", "organization_id", "value") ` +
    `SELECT ${ids}, ${sqlString(label)}, ${tenant}, max(${form.start - 1}, ${greatest}) ` +
    `FROM ${name(table)}${group} HAVING count(*) > 0`,
    `UPDATE ${name(table)} SET ${cell} = made.number FROM (SELECT ${name(key)} AS row_id, ${
      numberSql(
        sequence,
        `${positionSql(sequence)} + ` +
          `(SELECT "value" FROM ${counters} WHERE "id" = ${ids})`,
      )
    } AS number ` +
    `FROM ${name(table)} WHERE ${cell} IS NULL) AS made WHERE ${name(key)} = made.row_id`,
    `UPDATE ${counters} SET "value" = max("value", (SELECT ${greatest} FROM ${name(table)}${
      organization === null ? "" : ` WHERE ${name(organization)} = ${counters}."organization_id"`
    })) WHERE "sequence" = ${sqlString(label)}`,
  ];
}

export function renameSequence(from: string, to: string): readonly string[] {
  return [
    `UPDATE ${name(SEQUENCES.name)} SET "id" = ${sqlString(`${to} `)} || ` +
    `coalesce("organization_id", ''), "sequence" = ${sqlString(to)} ` +
    `WHERE "sequence" = ${sqlString(from)}`,
  ];
}
