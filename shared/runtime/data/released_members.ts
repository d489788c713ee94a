/** Rows that name an account which is no member any more (definitions 3, `onMemberRemoved`). */
import { accountOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import {
  ANONYMOUS,
  type ColumnModel,
  type ProjectModel,
  type TableModel,
} from "../../model/mod.ts";
import { columnNamed } from "../../surface/mod.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import type { Clock, Database, MemberWatch, ReleasedMember } from "../ports.ts";
import type { Auditing } from "./changes/auditing.ts";
import { loggingChanges } from "./changes/watched_rows.ts";
import { cellSql, liveSql } from "./conditions.ts";
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
  /** Null: the project keeps no history. */
  readonly auditing: Auditing | null;
  /** The database with the frames of its changes. */
  watched(database: Database): Database;
}

/** Makes the watch; null: no row of the project asks what becomes of members. */
export function createMemberWatch(
  project: ProjectModel,
  { clock, auditing, watched }: ReleaseMeans,
): MemberWatch | null {
  const all = project.tables.flatMap((table) =>
    table.columns.flatMap((column): Naming[] => {
      const onMemberRemoved = accountOf(column.type)?.onMemberRemoved;
      return onMemberRemoved === undefined ? [] : [{ table, column, onMemberRemoved }];
    })
  );
  if (all.length === 0) return null;
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
      const now = new Date(clock.now()).toISOString();
      const stamps = { now, userId: released.by };
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
      await (auditing?.(database, author) ?? database).write(async (part) => {
        for (const naming of cleared) {
          const { table, column } = naming;
          const where = namingSql(naming, released, now);
          const firewall = firewallFor(table, { principal: ANONYMOUS, organizationId: null });
          const assignments = [...assigned(column, null), ...modificationOf(firewall, stamps)];
          await loggingChanges(
            part,
            { kind: "update", table, where },
            () => part.run(updateStatement(firewall, assignments, where)),
          );
        }
      });
    },
  };
}

/** Living rows of the organization that name the member in one of the columns. */
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

/** Rows, deleted ones too, that name the account where it is no member, or banned. */
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
