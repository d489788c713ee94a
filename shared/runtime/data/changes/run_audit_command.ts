/** An operator's commands on the history of records (definitions 4, `audit`): verify it, and erase that of one record. */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { AUDIT_CHANGES, OWN_CHAIN } from "../../../model/mod.ts";
import type {
  AuditCommand,
  AuditOutcome,
  ChainVerdict,
  Database,
  TenantDatabases,
} from "../../ports.ts";
import { organizationPages } from "../organization_rows.ts";
import { ERASURE_SQL } from "./change_chain.ts";
import { verifyChains } from "./verify_chains.ts";

export interface AuditDatabases {
  readonly database: Database;
  /** Databases of organizations; null: one database has all rows. */
  readonly tenants: Pick<TenantDatabases, "of" | "organizations"> | null;
}

/** Verifies all chains of all databases, or erases the changes of one record. */
export async function runAuditCommand(
  command: AuditCommand,
  { database, tenants }: AuditDatabases,
): Promise<AuditOutcome> {
  if (command.kind === "erase") {
    const { organizationId, resource, recordId } = command;
    const home = tenants && organizationId !== null
      ? tenants.of(organizationId, "never")
      : database;
    const { changes } = await home.write((transaction) =>
      transaction.run({
        sql: `UPDATE ${sqlIdentifier(AUDIT_CHANGES.name)} SET ${ERASURE_SQL}
          WHERE "chain" = ? AND "resource" = ? AND "record_id" = ?`,
        args: [organizationId ?? OWN_CHAIN, resource, recordId],
      })
    );
    return { kind: "erased", changes };
  }
  const chains: ChainVerdict[] = [...await verifyChains(database)];
  if (tenants !== null) {
    for await (const ids of organizationPages(tenants.organizations)) {
      for (const id of ids) {
        // An organization without a database has its rows in the directory, whose chain was verified.
        const verdicts = await verifyChains(tenants.of(id, "never"));
        chains.push(...verdicts.filter(({ chain }) => chain === id));
      }
    }
  }
  return { kind: "verified", chains, hasFailed: chains.some(({ broken }) => broken !== null) };
}
