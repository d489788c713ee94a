/**
 * Removes objects that no row refers to, which replaced, deleted and aborted files leave (definitions 8, `STORAGE_GRACE_S`).
 * References are read before objects are listed, and objects younger than the grace period stay, because they may be on their
 * way into a row. Foreign objects stay. So does the whole store if another database has collected in it since, because to a
 * copy of a database newer files look unreferenced.
 */
import { COLLECTION_INTERVAL_MS } from "../../contract/mod.ts";
import { hasFiles, homeOf, type ProjectModel } from "../../model/mod.ts";
import { isOwnKey } from "../data/file_keys.ts";
import {
  collectionMarks,
  holdCollection,
  keepCollectionMarks,
  type ReferredFile,
  referrersIn,
  releaseCollection,
} from "../data/file_rows.ts";
import { organizationPages } from "../data/organization_rows.ts";
import {
  type Clock,
  type Database,
  type FilePorts,
  type FileStore,
  type Logger,
  type Randomness,
  StorageFullError,
  type TenantDatabases,
} from "../ports.ts";

interface CollectionPorts {
  readonly database: Database;
  readonly tenants?: TenantDatabases | null;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly files?: FilePorts | null;
}

/** Milliseconds of the lease. If its holder dies, another instance takes over soon. */
const LEASE_MS = 10_000;
/** Precision of a store's times. A file may be younger than its time by this much. */
const STORE_TIME_STEP_MS = 1000;
/** Objects that one step examines. */
const OBJECTS_AT_ONCE = 500;

/**
 * Makes a worker's step of the collection. It runs at the start and every ten minutes, and returns true while there is more to
 * do.
 */
export function createCollection(
  project: ProjectModel,
  { files, ...ports }: CollectionPorts,
): () => Promise<boolean> {
  if (!files || !hasFiles(project)) return () => Promise.resolve(false);
  const { clock, random, database } = ports;
  const holder = random.bytes(16).toHex();
  let nextAt = clock.now();
  let heldUntil = 0;
  let running: AsyncGenerator<void> | null = null;
  const hold = async () => {
    const now = clock.now();
    if (now < heldUntil - LEASE_MS / 2) return true;
    heldUntil = now + LEASE_MS;
    return await holdCollection(database, holder, now, heldUntil);
  };
  const end = (wait: number) => {
    running = null;
    heldUntil = 0;
    nextAt = clock.now() + wait;
  };
  return async () => {
    if (running === null && clock.now() < nextAt) return false;
    if (!await hold()) {
      end(LEASE_MS);
      return false;
    }
    running ??= collection(project, { files, ...ports });
    try {
      if (!(await running.next()).done) return true;
    } catch (error) {
      end(COLLECTION_INTERVAL_MS);
      throw error;
    }
    await releaseCollection(database, holder);
    end(COLLECTION_INTERVAL_MS);
    return false;
  };
}

/** Collects, and yields after each bounded step. */
async function* collection(
  project: ProjectModel,
  { files: { store, graceMs, unreferred }, ...ports }: CollectionPorts & {
    readonly files: FilePorts;
  },
): AsyncGenerator<void> {
  const { logger } = ports;
  const isOurs = await claimedStore(store, ports);
  const leaveAlone = () => logger.log({ level: "warn", message: FOREIGN });
  if (!await isOurs()) return leaveAlone();
  const before = ports.clock.now() - graceMs - STORE_TIME_STEP_MS;
  const referred = new Set<string>();
  for await (const files of referrers(project, ports)) {
    for (const { id } of files) referred.add(id);
    yield;
  }
  if (!await isOurs()) return leaveAlone();
  let looked = 0;
  let removed = 0;
  for await (const { key, modifiedAt } of store.list("")) {
    if (!isOwnKey(key)) continue;
    const id = key.slice(key.lastIndexOf("/") + 1);
    if (modifiedAt <= before && !referred.has(id)) {
      await store.remove(key);
      removed += 1;
    }
    looked += 1;
    if (looked % OBJECTS_AT_ONCE === 0) yield;
  }
  if (removed === 0) return;
  unreferred.collected();
  logger.log({
    level: "info",
    message: "Removed files that nothing refers to",
    fields: { removed, kept: looked - removed },
  });
}

/**
 * Key of the mark that each collection leaves in the store. Only the database that made it knows it; an older copy of that
 * database does not.
 */
const MARK = "_collection";
const FOREIGN =
  "Files that nothing refers to stay: another database, or another copy of this one, " +
  `collects in their store. Give each a STORAGE_URL of its own; remove "${MARK}" from the store if ` +
  "this one was restored, or is the only one left";

/** Marks the store unless another database has. The result tells if no other one has since. */
async function claimedStore(
  store: FileStore,
  { database, random }: Pick<CollectionPorts, "database" | "random">,
): Promise<() => Promise<boolean>> {
  const found = await markOf(store);
  const known = await collectionMarks(database);
  if (found !== null && !known.includes(found)) return () => Promise.resolve(false);
  const next = random.bytes(16).toHex();
  // The database records the mark before the store has it.
  await keepCollectionMarks(database, [...(found === null ? [] : [found]), next]);
  try {
    await store.put(MARK, ReadableStream.from([new TextEncoder().encode(next)]));
  } catch (error) {
    // A full store needs the collection most.
    if (!(error instanceof StorageFullError)) throw error;
  }
  return async () => {
    const mark = await markOf(store);
    return mark === next || mark === found;
  };
}

/** Returns the store's mark; null: nobody has collected in it. */
async function markOf(store: FileStore): Promise<string | null> {
  const mark = await store.get(MARK);
  return mark && await new Response(mark).text();
}

/** Yields the files that rows refer to, in all databases. */
async function* referrers(
  project: ProjectModel,
  { database, tenants }: Omit<CollectionPorts, "files">,
): AsyncGenerator<readonly ReferredFile[]> {
  const isOf = (home: "tenant" | "directory") =>
    project.tables.filter((table) =>
      !tenants || (homeOf(table) === "tenant") === (home === "tenant")
    );
  yield* referrersIn(database, isOf("directory"));
  if (!tenants) return;
  for await (const ids of organizationPages(tenants.organizations)) {
    for (const id of ids) yield* referrersIn(tenants.of(id, "never"), isOf("tenant"));
  }
}
