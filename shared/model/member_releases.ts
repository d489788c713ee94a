/**
 * Table of accounts that some rows still name and must release (definitions 3, `onMemberRemoved`): one transaction leaves the
 * rest to the worker.
 */
import { accountOf } from "../column_types/mod.ts";
import type { ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** One row for each account and organization, removed when no row names the account any more. */
export const MEMBER_RELEASES: SqlTable = {
  name: "qb_member_releases",
  columns: [
    // Combines the account and the organization.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("user_id"), notNull: true },
    // Null: every organization in which the account is no member.
    text("organization_id"),
    // 1 if no rule can keep the account.
    { ...text("is_gone"), type: "integer", notNull: true },
    // Account that ended the membership; null: unknown.
    text("by_user_id"),
    { ...text("created_at"), notNull: true },
  ],
  indexes: [],
};

/** True when rows of some table keep members, or release them. */
export function releasesMembers({ tables }: ProjectModel): boolean {
  return tables.some(({ columns }) =>
    columns.some(({ type }) => accountOf(type)?.onMemberRemoved !== undefined)
  );
}
