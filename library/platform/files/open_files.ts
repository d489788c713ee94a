/** Opens the file store that `STORAGE_URL` names (definitions 8). */
import { join, resolve } from "node:path";
import type { FileStore, UnaddressedFiles } from "../../../shared/runtime/ports.ts";
import { type Environment, FILES_FOLDER, folderOf } from "../read_environment.ts";
import { filePathOf } from "../open_database.ts";
import { systemClock as clock } from "../system.ts";
import { folderStore } from "./folder_store.ts";
import { limitedStore } from "./limited_store.ts";
import { readForm } from "./read_form.ts";

type Place = Pick<Environment, "databaseUrl" | "redisUrl" | "settings" | "storage">;

/** Opens the store. Throws if none is named and no folder of this machine can take its place. */
export async function openFiles(place: Place): Promise<UnaddressedFiles> {
  const { storage: { maxBytes, maxBytesPerTenant, graceMs } } = place;
  const opened = await openedStore(place);
  const isLimited = maxBytes !== null || maxBytesPerTenant !== null;
  const store = isLimited ? limitedStore(opened, { maxBytes, maxBytesPerTenant, clock }) : opened;
  return { store, readForm, graceMs };
}

async function openedStore(place: Place): Promise<FileStore> {
  const { url, bucket } = place.storage;
  if (bucket !== null) {
    // This module is loaded only if a bucket is used.
    const { s3Store } = await import("./s3_store.ts");
    return s3Store(bucket);
  }
  return folderStore(resolve(url === null ? defaultFolder(place) : storageFolder(url)));
}

/** Returns the folder beside the database. */
function defaultFolder(
  { databaseUrl, redisUrl, settings, storage: { isDeployed } }: Place,
): string {
  const reason = isDeployed
    ? "this platform keeps no folder"
    : !databaseUrl.startsWith("file:")
    ? "with a database on a server several instances may serve them"
    : settings.production && redisUrl !== null
    ? "with REDIS_URL in production several instances may serve them"
    : null;
  if (reason === null) return join(folderOf(databaseUrl), FILES_FOLDER);
  throw new Error(
    `Cannot start: STORAGE_URL must say where files are kept, as in 'file:/srv/files': ${reason}`,
  );
}

function storageFolder(url: string): string {
  try {
    return filePathOf(url.replace(/\/+$/, ""));
  } catch {
    throw new Error("Cannot start: STORAGE_URL must name a folder, as in 'file:./data/files'");
  }
}
