/** The row that a question is about: as it is written down, or as a database holds it. */
import { ifThere } from "../../../library/platform/if_there.ts";
import { storedRecords } from "../../../proof/rows/mod.ts";
import { openDatabase } from "../../../library/platform/mod.ts";
import { isJsonObject, parsedJson } from "../../../shared/lib/json.ts";
import type { Principal, TableModel } from "../../../shared/model/mod.ts";
import { CommandError, UsageError } from "../../exit_codes.ts";

export type GivenRow = Readonly<Record<string, unknown>>;

/** `none`: there is no such row. */
export function readRow(text: string, table: TableModel, caller: Principal): GivenRow | null {
  if (text === "none") return null;
  const given = readObject("--row", text);
  const unknown = Object.keys(given).find((name) =>
    !table.columns.some((column) => column.name === name)
  );
  if (unknown !== undefined) {
    const names = table.columns.map(({ name }) => name).join(", ");
    throw new UsageError(`"${table.name}" has no column "${unknown}"; it has ${names}`);
  }
  // A row is the caller's own in whatever `--row` does not say.
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

/** Null: the database has no such row. */
export async function storedRow(
  url: string,
  table: TableModel,
  id: string,
): Promise<GivenRow | null> {
  // Opening a file would make it.
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
    return row;
  } finally {
    await database.close();
  }
}
