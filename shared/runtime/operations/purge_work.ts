/** Deletions of organizations that go on after their answer, or after a start (definitions 7). */
import type { ProjectModel } from "../../model/project.ts";
import { endPurge, type Purge, runningPurge } from "../data/organization_purges.ts";
import { type OrganizationRows, organizationRowsOf } from "../data/organization_rows.ts";
import type { Clock, Database } from "../ports.ts";

interface PurgePorts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Milliseconds between a worker's looks for a purge. */
const LOOK_EVERY_MS = 2000;

/** Makes a worker's step of the purge under way; the step returns true when there was one. */
export function createPurgeWork(project: ProjectModel, ports: PurgePorts): () => Promise<boolean> {
  const rows = organizationRowsOf(project);
  let lookAt = ports.clock.now();
  return async () => {
    if (!project.multiTenant || ports.clock.now() < lookAt) return false;
    const purge = await runningPurge(ports.database);
    if (purge === null) {
      lookAt = ports.clock.now() + LOOK_EVERY_MS;
      return false;
    }
    await purgeStep(purge, rows, ports);
    return true;
  };
}

/** True while there is more to do. Several processes may work on one: a step finds what is there. */
export function purgeStep(
  { id, organizationId }: Purge,
  rows: OrganizationRows,
  { database, clock }: PurgePorts,
): Promise<boolean> {
  return database.write(async (transaction) => {
    if (await rows.removeSome(transaction, organizationId)) return true;
    await endPurge(transaction, id, new Date(clock.now()).toISOString());
    return false;
  });
}
