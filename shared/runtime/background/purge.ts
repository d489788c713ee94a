/** Continues deletions of organizations after their answer, and after a start (definitions 7). */
import type { ProjectModel } from "../../model/mod.ts";
import { organizationRowsOf } from "../data/organization_rows.ts";
import { type PurgePorts, purgeStep, runningPurge } from "../data/purges.ts";

/** Milliseconds between looks for a deletion. */
const LOOK_EVERY_MS = 2000;

/** Makes a worker's step of the deletion in progress. It returns true when there was one. */
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
