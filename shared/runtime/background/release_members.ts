/** Continues releases of members: clears the rows that still name a removed member (definitions 3, `onMemberRemoved`). */
import { type ProjectModel, releasesMembers } from "../../model/mod.ts";
import { createAuditing } from "../data/changes/auditing.ts";
import { deleteRelease, selectRelease } from "../data/member_releases.ts";
import { createReleases, ROWS_AT_ONCE } from "../data/released_members.ts";
import type { Clock, Database, Randomness } from "../ports.ts";

/** Milliseconds between two checks for a release. */
const LOOK_EVERY_MS = 2000;

interface ReleasePorts {
  /** Database that also publishes frames of the changes. */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
}

/** Creates a worker's step, which clears a limited number of rows. It returns true when there was a release to continue. */
export function createReleaseWork(
  project: ProjectModel,
  ports: ReleasePorts,
): () => Promise<boolean> {
  if (!releasesMembers(project)) return () => Promise.resolve(false);
  const { database, clock } = ports;
  const releases = createReleases(project, { clock, auditing: createAuditing(project, ports) });
  let lookAt = clock.now();
  return async () => {
    if (clock.now() < lookAt) return false;
    const release = await selectRelease(database);
    if (release === null) {
      lookAt = clock.now() + LOOK_EVERY_MS;
      return false;
    }
    await database.write(async (transaction) => {
      const count = await releases.step(transaction, release);
      if (count < ROWS_AT_ONCE) await deleteRelease(transaction, release.id);
    });
    return true;
  };
}
