/** Databases that record the history of records, whatever route writes (definitions 4, `audit`). */
import type { ProjectModel, TableModel } from "../../../model/mod.ts";
import { homeOf, organizationColumnOf, OWN_CHAIN } from "../../../model/mod.ts";
import { type ChangeKind, tableOf } from "../../../surface/mod.ts";
import type { Database, Randomness, SqlValue } from "../../ports.ts";
import type { StoredRow } from "../types.ts";
import { partOf } from "../within.ts";
import { appendChanges, type NewChange } from "./change_chain.ts";
import { ChangeLog, changeLogOf, type RowChange, WatchedTransaction } from "./change_log.ts";
import { cellsOf } from "./stored_cells.ts";
import { auditedTables } from "./watched_tables.ts";

/** The author of all changes of one transaction. */
export interface ChangeAuthor {
  /** The operation, job or event that writes; null: unknown. */
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly actorUserId: string | null;
  readonly impersonatorUserId: string | null;
  readonly organizationId: string | null;
  /** Time as ISO 8601. */
  readonly now: string;
}

/** Wraps a database for one author. Its writes and their history are committed together. */
export type Auditing = (database: Database, author: ChangeAuthor) => Database;

/** Makes the wrapper; null: the project keeps no history. */
export function createAuditing(
  project: ProjectModel,
  { random }: { readonly random: Randomness },
): Auditing | null {
  const audited = auditedTables(project);
  if (audited === null) return null;
  const tables = new Map(project.resources.flatMap((resource) => {
    const table = tableOf(resource, project);
    const { audit } = resource;
    return audit ? [[table.name, { table, keepDays: audit.keepDays }] as const] : [];
  }));
  const watching = { watched: audited, audited };
  return (database, author) => ({
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
    write: (body, options) =>
      database.write(async (transaction) => {
        const log = changeLogOf(transaction) ?? new ChangeLog(watching);
        // The history is appended after the body's last write.
        const part = partOf(transaction);
        const value = await body(
          changeLogOf(part) === null ? new WatchedTransaction(part, log) : part,
        );
        const changes = log.kept.flatMap((change) =>
          newChange(change, author, tables, random) ?? []
        );
        await appendChanges(transaction, changes, author.now);
        return value;
      }, options),
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a change; null: the row has not changed. */
function newChange(
  change: RowChange,
  author: ChangeAuthor,
  tables: ReadonlyMap<string, { readonly table: TableModel; readonly keepDays: number }>,
  random: Randomness,
): NewChange | null {
  const { table: name, id } = change;
  const audited = tables.get(name);
  if (!audited) return null;
  const { table, keepDays } = audited;
  const [before, after] = [change.before, change.after].map((row) => row && storedPart(row, table));
  const row = after ?? before;
  if (!row || before === undefined || after === undefined) return null;
  const changed = before && after
    ? new Map([...before].filter(([name, value]) => value !== after.get(name)))
    : before;
  if (after !== null && changed?.size === 0) return null;
  const { operation, requestId, actorUserId, impersonatorUserId, now } = author;
  return {
    chain: chainOf(table, row, author.organizationId),
    id: `chg_${random.bytes(16).toHex()}`,
    resource: name,
    recordId: String(id),
    kind: kindOf(before, after),
    operation,
    requestId,
    actorUserId,
    impersonatorUserId,
    before: changed && jsonOf(changed),
    after: after && jsonOf(after),
    salt: random.bytes(16).toHex(),
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + keepDays * DAY_MS).toISOString(),
  };
}

/** Returns the stored columns. Computed ones follow from them. */
function storedPart(row: StoredRow, { columns }: TableModel): StoredRow {
  const computed = columns.filter(({ manager }) => manager === "computed");
  if (computed.length === 0) return row;
  return new Map([...row].filter(([name]) => !computed.some((column) => column.name === name)));
}

/** Returns the organization of a row. For a row with only a team, and without a row, it is the caller's. */
export function chainOf(
  table: TableModel,
  row: StoredRow | null,
  organizationId: string | null,
): string {
  const column = organizationColumnOf(table);
  const named: SqlValue = column === null ? null : row?.get(column) ?? null;
  if (typeof named === "string") return named;
  return (homeOf(table) === "tenant" ? organizationId : null) ?? OWN_CHAIN;
}

function kindOf(before: StoredRow | null, after: StoredRow | null): ChangeKind {
  if (before === null) return "create";
  if (after === null) return "delete";
  const wasDeleted = (before.get("deletedAt") ?? null) !== null;
  const isDeleted = (after.get("deletedAt") ?? null) !== null;
  if (wasDeleted === isDeleted) return "update";
  return isDeleted ? "delete" : "restore";
}

/** Formats a row with sorted keys, so that equal rows give equal texts. */
function jsonOf(row: StoredRow): string {
  return JSON.stringify(cellsOf(new Map([...row].toSorted(([a], [b]) => a < b ? -1 : 1))));
}
