/** The files of an organization's rows, on their way from one store to another (contract 4.7, definitions 8). */
import { homeOf, type ProjectModel } from "../../../model/mod.ts";
import type { Clock, Database, FileStore, Randomness, Reader } from "../../ports.ts";
import { isOwnKey, organizationKeys } from "../file_keys.ts";
import { holdCollection, referrersIn, releaseCollection } from "../file_rows.ts";

export interface FileCount {
  readonly count: number;
  readonly bytes: number;
}

interface Bearing {
  readonly project: ProjectModel;
  readonly organizationId: string;
  /** Its database, or an export of it. */
  readonly rows: Reader;
  /** Postpones the collection for another hour. Call it after each file. */
  readonly hold: () => Promise<void>;
}

/**
 * Copies the files of rows between stores and counts them. A complete file in the target is skipped. Throws for a missing file,
 * and for one with other bytes.
 */
export async function copyObjects(
  from: FileStore,
  to: FileStore,
  { project, organizationId, rows, hold }: Bearing,
): Promise<FileCount> {
  const there = new Map<string, number>();
  const own = await organizationKeys(organizationId);
  for await (const { key, size } of to.list(own)) {
    there.set(key, size);
  }
  let [count, bytes] = [0, 0];
  const tables = project.tables.filter((table) => homeOf(table) === "tenant");
  for await (const files of referrersIn(rows, tables)) {
    for (const { key, place, size, sha256 } of files) {
      const file = `The file '${key}' of ${place}`;
      if (!isKeyBelow(own, key)) {
        throw new Error(`${file} is not of organization '${organizationId}'`);
      }
      count += 1;
      bytes += size;
      if (there.get(key) === size) continue;
      const body = await from.get(key);
      if (body === null) throw new Error(`${file} is in no store: clear it, or bring it back`);
      const written = await to.put(key, body);
      await hold();
      if (written.sha256 === sha256) continue;
      await to.remove(key);
      throw new Error(`${file} is not what was sent once: clear it, or bring it back`);
    }
  }
  return { count, bytes };
}

/** True for the key of a file of an organization whose keys begin so: a part with the table, and the id. */
function isKeyBelow(own: string, key: string): boolean {
  return key.startsWith(own) && isOwnKey(key) && key.slice(own.length).split("/").length === 2;
}

/** Removes up to `limit` files of an organization; true: there may be more of them. */
export async function removeObjects(
  store: FileStore,
  organizationId: string,
  limit = Infinity,
): Promise<boolean> {
  let removed = 0;
  for await (const { key } of store.list(await organizationKeys(organizationId))) {
    if (!isOwnKey(key)) continue;
    await store.remove(key);
    removed += 1;
    if (removed === limit) return true;
  }
  return false;
}

/** Milliseconds; the collection of one that died with it goes on then. */
const HELD_MS = 3_600_000;

/**
 * Prevents the collection of unreferenced files while the body copies them. A body of more than half an hour must call `hold`.
 */
export async function uncollected<T>(
  { directory, clock, random }: {
    readonly directory: Database;
    readonly clock: Clock;
    readonly random: Randomness;
  },
  body: (hold: Bearing["hold"]) => Promise<T>,
): Promise<T> {
  const holder = random.bytes(16).toHex();
  let heldUntil = 0;
  const hold = async () => {
    const now = clock.now();
    if (now < heldUntil - HELD_MS / 2) return;
    if (heldUntil > 0 && now >= heldUntil) {
      throw new Error("A file took more than an hour: say it again, and the others are there");
    }
    heldUntil = now + HELD_MS;
    if (await holdCollection(directory, holder, now, heldUntil)) return;
    throw new Error("Files that nothing refers to are being collected: try again in a minute");
  };
  await hold();
  try {
    return await body(hold);
  } finally {
    await releaseCollection(directory, holder);
  }
}
