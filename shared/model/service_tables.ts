/** Tables that the service keeps beside the project's own (definitions 7). They migrate together with them. */
import { AUTH_TABLES } from "./auth_tables.ts";
import type { ProjectModel } from "./project.ts";
import type { SqlColumn, SqlTable } from "./sql_table.ts";

/** Every service table that this project needs, in any order. */
export function serviceTables(_project: ProjectModel): readonly SqlTable[] {
  return [...AUTH_TABLES, AUDIT_EVENTS];
}

/** One row per call that crosses a tenant's border or reads without a tenant (definitions 7). */
export const AUDIT_EVENTS: SqlTable = {
  name: "audit_events",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    text("request_id"),
    text("actor_user_id"),
    text("actor_org_id"),
    text("action_name"),
    text("resource"),
    text("operation"),
    text("target_scope"),
    text("target_org_id"),
    text("target_record_id"),
    text("unsafe_reason"),
    { ...text("result"), notNull: true },
    text("error_code"),
    { ...text("created_at"), notNull: true },
  ],
  indexes: [{
    name: "audit_events_target_org_id_created_at_idx",
    columns: ["target_org_id", "created_at"],
    unique: false,
    where: null,
  }],
};

function text(name: string): SqlColumn {
  return {
    name,
    type: "text",
    notNull: false,
    primaryKey: false,
    autoIncrement: false,
    default: null,
    references: null,
  };
}
