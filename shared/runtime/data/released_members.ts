/** Clears rows that name an account which is no longer a member (definitions 3, `onMemberRemoved`). */
import { accountOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import {
  ANONYMOUS,
  type ColumnModel,
  type ProjectModel,
  releasesMembers,
  type TableModel,
} from "../../model/mod.ts";
import { columnNamed } from "../../surface/mod.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import type { Clock, MemberWatch, ReleasedMember, Transaction } from "../ports.ts";
import type { Auditing } from "./changes/auditing.ts";
import { loggingChanges } from "./changes/watched_rows.ts";
import { cellSql, inSql, liveSql } from "./conditions.ts";
import { insertRelease } from "./member_releases.ts";
import { memberSql } from "./members.ts";
import { ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import { assigned, modificationOf } from "./stamps.ts";
import type { Stamps } from "./types.ts";
import { databaseWithin } from "./within.ts";
import { updateStatement } from "./write_row.ts";

interface Naming {
  readonly table: TableModel;
  readonly column: ColumnModel;
  readonly onMemberRemoved: "restrict" | "setNull";
}

interface ReleaseMeans {
  readonly clock: Clock;
  /** Null: the project has no histories. */
  readonly auditing: Auditing | null;
}

/** Maximum number of rows in one transaction, because other writers wait for it. */
export const ROWS_AT_ONCE = 500;

interface Releases {
  readonly all: readonly Naming[];
  /** Clears as many rows as one transaction may. Returns their number. */
  step(transaction: Transaction, released: ReleasedMember): Promise<number>;
}

export function createReleases(
  project: ProjectModel,
  { clock, auditing }: ReleaseMeans,
): Releases {
  const all = project.tables.flatMap((table) =>
    table.columns.flatMap((column): Naming[] => {
      const onMemberRemoved = accountOf(column.type)?.onMemberRemoved;
      return onMemberRemoved === undefined ? [] : [{ table, column, onMemberRemoved }];
    })
  );
  return {
    all,
    async step(transaction, released) {
      const now = new Date(clock.now()).toISOString();
      const database = databaseWithin(transaction);
      const author = {
        operation: null,
        requestId: null,
        actorUserId: released.by,
        impersonatorUserId: null,
        organizationId: released.organizationId,
        now,
      };
      const cleared = all.filter(({ column, onMemberRemoved }) =>
        column.nullable && (released.isGone || onMemberRemoved === "setNull")
      );
      return await (auditing?.(database, author) ?? database).write(async (part) => {
        let count = 0;
        for (const naming of cleared) {
          const left = ROWS_AT_ONCE - count;
          if (left > 0) count += await clear(part, naming, { released, now, left });
        }
        return count;
      });
    },
  };
}

/** Clears one column of a limited number of rows. Returns their number. */
async function clear(
  transaction: Transaction,
  naming: Naming,
  { released, now, left }: {
    readonly released: ReleasedMember;
    readonly now: string;
    readonly left: number;
  },
): Promise<number> {
  const { table, column } = naming;
  const key = cellSql(columnNamed(table.primaryKey, table), ROW);
  const named = namingSql(naming, released, now);
  const { rows } = await transaction.run(fragment(
    `SELECT ${key} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${named.sql} LIMIT ${left}`,
    ...named.args,
  ));
  if (rows.length === 0) return 0;
  const ids = rows.map(([id = null]) => id);
  const where = inSql(key, ids);
  const firewall = firewallFor(table, { principal: ANONYMOUS, organizationId: null });
  const stamps = { now, userId: released.by };
  const assignments = [...assigned(column, null), ...modificationOf(firewall, stamps)];
  await loggingChanges(
    transaction,
    { kind: "update", table, where, ids },
    () => transaction.run(updateStatement(firewall, assignments, where)),
  );
  return ids.length;
}

/** Creates the watch; null: no column of the project declares `onMemberRemoved`. */
export function createMemberWatch(
  project: ProjectModel,
  { watched, ...means }: ReleaseMeans & Pick<MemberWatch, "watched">,
): MemberWatch | null {
  if (!releasesMembers(project)) return null;
  const { all, step } = createReleases(project, means);
  return {
    watched,
    async referring(reader, { userId, organizationId }) {
      const keeping = all.filter((one) => one.onMemberRemoved === "restrict");
      const counts = [...Map.groupBy(keeping, ({ table }) => table)].map(([table, columns]) =>
        countSql(table, columns.map(({ column }) => column), { userId, organizationId })
      );
      if (counts.length === 0) return 0;
      const { rows } = await reader.run(fragment(
        `SELECT ${counts.map(({ sql }) => sql).join(" + ")}`,
        ...counts.flatMap(({ args }) => args),
      ));
      return Number(rows[0]?.[0] ?? 0);
    },
    async release(transaction, released) {
      if (await step(transaction, released) < ROWS_AT_ONCE) return;
      const now = new Date(means.clock.now()).toISOString();
      await insertRelease(transaction, released, now);
    },
  };
}

/** Writes the count of living rows of the organization that name the member in one of the columns. */
function countSql(
  table: TableModel,
  columns: readonly ColumnModel[],
  { userId, organizationId }: Pick<ReleasedMember, "userId" | "organizationId">,
): Fragment {
  const firewall = firewallFor(table, { principal: ANONYMOUS, organizationId });
  const named = columns.map((column) => `${cellSql(column, ROW)} = ?`).join(" OR ");
  const where = allOf([
    ...organizationSql(table, organizationId),
    fragment(`(${named})`, ...columns.map(() => userId)),
    liveSql(firewall, ROW),
  ]);
  return fragment(
    `(SELECT count(*) FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${where.sql})`,
    ...where.args,
  );
}

function organizationSql(
  table: TableModel,
  organizationId: string | null,
): readonly Fragment[] {
  const name = table.scope.organization;
  if (name === null || organizationId === null) return [];
  return [fragment(`${cellSql(columnNamed(name, table), ROW)} = ?`, organizationId)];
}

/**
 * Writes the selection of rows, deleted ones too, that name the account although it is banned or no member of their
 * organization.
 */
function namingSql(
  { table, column }: Naming,
  { userId, organizationId }: ReleasedMember,
  now: Stamps["now"],
): Fragment {
  const scope = table.scope.organization;
  const member = memberSql({
    account: fragment("?", userId),
    organization: scope === null ? null : fragment(cellSql(columnNamed(scope, table), ROW)),
    now,
  });
  return allOf([
    ...organizationSql(table, organizationId),
    fragment(`${cellSql(column, ROW)} = ?`, userId),
    fragment(`NOT ${member.sql}`, ...member.args),
  ]);
}
