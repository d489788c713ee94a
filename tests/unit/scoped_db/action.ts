/** Runs a handler's body over both tenants' rows and takes everything back afterwards. */
import {
  type ChangeLog,
  WatchedTransaction,
} from "../../../shared/runtime/data/changes/change_log.ts";
import { schemaOf } from "../../support/model_database.ts";
import { seededBytes } from "../../../shared/lib/seeded_bytes.ts";
import type { Principal } from "../../../shared/model/principal.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import {
  type OpenedScopedDb,
  scopedDbOf,
  type ScopedDbOptions,
} from "../../../shared/runtime/data/scoped_db/open_scoped_db.ts";
import type { Database, Statement, Transaction } from "../../../shared/runtime/ports.ts";
import { foundingStatements } from "../../support/found_accounts.ts";
import { ALICE, desk, type DeskSchema, ROWS, schema } from "./desk.ts";

export const NOW = "2026-02-02T00:00:00.000Z";

export async function fillDesk(database: Database): Promise<void> {
  const founded = foundingStatements({
    organizations: ["org_b"],
    users: ["bea", "carl"],
    teams: { team_1: "org_b", team_x: "org_b" },
  });
  await database.migrate([...schemaOf(desk), ...founded, ...insertions()]);
}

function insertions(): readonly Statement[] {
  return Object.entries(ROWS).flatMap(([table, rows]) =>
    rows.map((row) => {
      const entries = Object.entries({ created_at: "2026-01-01T00:00:00.000Z", ...row });
      const names = entries.map(([name]) => name).join(", ");
      const places = entries.map(() => "?").join(", ");
      return {
        sql: `INSERT INTO ${table} (${names}) VALUES (${places})`,
        args: entries.map(([, value]) => value),
      };
    })
  );
}

export interface Handler extends OpenedScopedDb<DeskSchema> {
  readonly transaction: Transaction;
}

export type ActionOptions = Partial<Omit<ScopedDbOptions, "transaction">> & {
  readonly principal?: Principal;
  /** Told of what the action writes. */
  readonly changes?: ChangeLog;
};

export interface Outcome {
  readonly value: unknown;
  readonly error: unknown;
  readonly before: string;
  readonly after: string;
}

const open = scopedDbOf(desk, schema, { random: { bytes: seededBytes(1) } });

/** Thrown to take back what an action wrote. */
class TakeBack extends Error {}

export async function runAction(
  database: Database,
  body: (handler: Handler) => unknown,
  { changes, ...options }: ActionOptions = {},
): Promise<Outcome> {
  let outcome: Outcome | null = null;
  try {
    await database.write(async (transaction) => {
      const before = await hiddenRows(transaction);
      let made = 0;
      const opened = open({
        transaction: changes ? new WatchedTransaction(transaction, changes) : transaction,
        principal: ALICE,
        organizationId: "org_a",
        stamps: { now: NOW, userId: "alice" },
        newId: ({ idPrefix }) => `${idPrefix}_new${made += 1}`,
        ...options,
      });
      const { value, error } = await settled(() => body({ ...opened, transaction }));
      await opened.close();
      outcome = { value, error, before, after: await hiddenRows(transaction) };
      throw new TakeBack();
    });
  } catch (error) {
    if (!(error instanceof TakeBack) || outcome === null) throw error;
  }
  if (outcome === null) throw new Error("The action did not run");
  return outcome;
}

async function settled(
  run: () => unknown,
): Promise<{ readonly value: unknown; readonly error: unknown }> {
  try {
    return { value: await run(), error: null };
  } catch (error) {
    return { value: undefined, error };
  }
}

/** Everything that Alice must not touch, as one text. */
export async function hiddenRows(transaction: Transaction): Promise<string> {
  const conditions: Readonly<Record<string, string>> = {
    customers: "organization_id <> 'org_a' OR id = 'cus_gone'",
    tickets: "organization_id <> 'org_a' OR id = 'tic_gone'",
    comments: "organization_id <> 'org_a'",
    notes: "organization_id <> 'org_a' OR owner_id <> 'alice'",
    team_tasks: "organization_id <> 'org_a' OR team_id <> 'team_1'",
  };
  const statements = Object.entries(conditions).map(([table, where]) => ({
    sql: `SELECT * FROM ${table} WHERE ${where} ORDER BY id`,
    args: [],
  }));
  const counts = serviceTables(desk).map(({ name }) => ({
    sql: `SELECT count(*) FROM ${name}`,
    args: [],
  }));
  const results = await transaction.runAll([...statements, ...counts]);
  return JSON.stringify(results.map(({ rows }) => rows));
}
