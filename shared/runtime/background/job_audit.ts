/**
 * Audit rows of a job with `unsafe` (contract 4.4 rule 3, definitions 7): one for each organization that a run or a step
 * reached. A success is written in the transaction that it describes, a failure after the rollback.
 */
import type { JobModel } from "../../model/mod.ts";
import type { JobRow } from "../data/job_runs.ts";
import { insertAudit } from "../data/write_row.ts";
import { refusedEnd } from "../operations/actions/action_audit.ts";
import type { Ended } from "../operations/actions/audit_trail.ts";
import type { Clock, Database, Randomness, Transaction } from "../ports.ts";

export interface JobAudit {
  /** Records that a database of this organization was used. */
  reached(organizationId: string | null): void;
  /** Writes the success, in its transaction. */
  succeed(transaction: Transaction): Promise<void>;
  /** Writes a denial by a layer or another failure, as the error tells. */
  fail(database: Database, error: unknown): Promise<void>;
}

/** Makes the audit; null: the job is not unsafe. */
export function jobAudit(
  { id, job, userId, organizationId: own }: JobRow,
  { unsafe }: JobModel,
  { clock, random }: { readonly clock: Clock; readonly random: Randomness },
): JobAudit | null {
  if (!unsafe) return null;
  const reached = new Set<string | null>();
  const insert = async (transaction: Transaction, { result, code }: Ended) => {
    for (const targetOrgId of reached.size === 0 ? [own] : reached) {
      await insertAudit(transaction, {
        id: `aud_${random.bytes(16).toHex()}`,
        requestId: id,
        actorUserId: userId,
        actorOrgId: own,
        actionName: `job:${job}`,
        resource: null,
        operation: "job",
        targetScope: unsafe.crossTenant ? "all" : "organization",
        targetOrgId,
        targetRecordId: null,
        unsafeReason: unsafe.reason,
        result,
        errorCode: code,
        createdAt: new Date(clock.now()).toISOString(),
      });
    }
  };
  return {
    reached: (organizationId) => void reached.add(organizationId),
    succeed: (transaction) => insert(transaction, { result: "success", code: null }),
    fail: (database, error) =>
      database.write((transaction) => insert(transaction, refusedEnd(error))),
  };
}
