/** Accounts and organizations as hooks receive them. */
import type { Reader, SqlValue } from "../runtime/ports.ts";

export async function userOf(reader: Reader, id: string) {
  const { rows } = await reader.run({
    sql: `SELECT "id", "email", "name" FROM "auth_user" WHERE "id" = ?`,
    args: [id],
  });
  const [row] = rows;
  return row ? { id: textOf(row[0]), email: textOf(row[1]), name: textOf(row[2]) } : null;
}

export async function organizationOf(reader: Reader, id: string) {
  const { rows } = await reader.run({
    sql: `SELECT "id", "name", "slug" FROM "auth_organization" WHERE "id" = ?`,
    args: [id],
  });
  const [row] = rows;
  return row ? { id: textOf(row[0]), name: textOf(row[1]), slug: textOf(row[2]) } : null;
}

function textOf(value: SqlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
