/** Reads the row that a question is about, and rows to which its relations lead: from JSON, or from a database. */
import { ifThere } from "../../../library/platform/if_there.ts";
import { storedRecords } from "../../../proof/rows/mod.ts";
import { openDatabase } from "../../../library/platform/mod.ts";
import { isJsonObject, parsedJson } from "../../../shared/lib/json.ts";
import type { Principal, ProjectModel, RowPredicate } from "../../../shared/model/mod.ts";
import type { TableModel } from "../../../shared/model/mod.ts";
import type { World } from "../../../shared/oracle/judge.ts";
import type { Database } from "../../../shared/runtime/mod.ts";
import { relationsAt, relationsIn, tableNamed } from "../../../shared/surface/mod.ts";
import { CommandError, UsageError } from "../../exit_codes.ts";

export type GivenRow = Readonly<Record<string, unknown>>;

/** Parses a row. `none`: the row does not exist. */
export function readRow(text: string, table: TableModel, caller: Principal): GivenRow | null {
  if (text === "none") return null;
  return givenRow("--row", readObject("--row", text), table, caller);
}

/** Parses rows by their tables: `{ "orders": [{ "id": "o1" }] }`. */
export function readRelated(text: string, model: ProjectModel, caller: Principal): World {
  const given = readObject("--related", text);
  return new Map(
    Object.entries(given).map(([name, rows]) => {
      const table = model.tables.find((one) => one.name === name);
      if (table === undefined) {
        const names = model.tables.map((one) => one.name).join(", ");
        throw new UsageError(`--related names no table by "${name}"; the tables are ${names}`);
      }
      if (!Array.isArray(rows)) {
        throw new UsageError(`--related takes a list of rows for "${name}"`);
      }
      return [name, rows.map((row: unknown) => givenRow("--related", row, table, caller))];
    }),
  );
}

function givenRow(option: string, given: unknown, table: TableModel, caller: Principal): GivenRow {
  if (!isJsonObject(given)) throw new UsageError(`${option} takes rows as JSON objects`);
  const unknown = Object.keys(given).find((name) =>
    !table.columns.some((column) => column.name === name)
  );
  if (unknown !== undefined) {
    const names = table.columns.map(({ name }) => name).join(", ");
    throw new UsageError(`"${table.name}" has no column "${unknown}"; it has ${names}`);
  }
  // Missing columns make the row the caller's own.
  const { scope } = table;
  return {
    ...Object.fromEntries([
      ...(scope.organization === null ? [] : [[scope.organization, caller.organizationId]]),
      ...(scope.owner === null ? [] : [[scope.owner, caller.userId]]),
      ...(scope.team === null ? [] : [[scope.team, caller.teamId]]),
    ]),
    ...given,
  };
}

export function readObject(option: string, text: string): GivenRow {
  const value = parsedJson(text);
  if (!isJsonObject(value)) {
    throw new UsageError(`${option} takes a JSON object, as in '{"status":"open"}'`);
  }
  return Object.fromEntries(Object.entries(value));
}

interface StoredRow {
  /** Null: the database has no such row. */
  readonly row: GivenRow | null;
  readonly world: World;
}

/** Reads the row, and all rows to which the predicates lead from it. */
export async function storedRow(
  url: string,
  { table, id, predicates, model }: {
    readonly table: TableModel;
    readonly id: string;
    readonly predicates: readonly RowPredicate[];
    readonly model: ProjectModel;
  },
): Promise<StoredRow> {
  // Opening a missing file would create it.
  if (url.startsWith("file:")) {
    const path = url.startsWith("file://") ? new URL(url) : url.slice("file:".length);
    if (await ifThere(Deno.stat(path)) === null) {
      throw new CommandError(`There is no database at "${url}"`);
    }
  }
  const token = Deno.env.get("DATABASE_AUTH_TOKEN");
  const database = await openDatabase({ url, ...token === undefined ? {} : { authToken: token } });
  try {
    const key = table.idStrategy === "serial" ? Number(id) : id;
    const [row = null] = await storedRecords(database, table, [key]);
    const related = new Map(
      predicates.flatMap(relationsIn).map(({ relation }) => [
        relation.table,
        new Map<unknown, GivenRow>(),
      ]),
    );
    if (row !== null) await gather(row, predicates, { database, model, related });
    return { row, world: new Map([...related].map(([name, rows]) => [name, [...rows.values()]])) };
  } finally {
    await database.close();
  }
}

/** Reads every row to which a relation leads, level by level, including those of other tenants and deleted ones. */
async function gather(
  row: GivenRow,
  predicates: readonly RowPredicate[],
  gathering: {
    readonly database: Database;
    readonly model: ProjectModel;
    /** Rows of each table by their ids. */
    readonly related: ReadonlyMap<string, Map<unknown, GivenRow>>;
  },
): Promise<void> {
  const { database, model, related } = gathering;
  for (const { relation, of } of relationsAt(predicates)) {
    const key = row[relation.own] ?? null;
    if (typeof key !== "string" && typeof key !== "number") continue;
    const table = tableNamed(relation.table, model);
    for (const one of await storedRecords(database, table, [key], relation.related)) {
      related.get(relation.table)?.set(one[table.primaryKey], one);
      await gather(one, [of], gathering);
    }
  }
}
