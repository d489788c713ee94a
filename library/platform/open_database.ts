/** Opens the database that `DATABASE_URL` names (definitions 8). */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "../../shared/runtime/ports.ts";
import type { StatementLimits } from "./libsql/reading_turns.ts";
import { openRemote } from "./libsql/remote_database.ts";
import { OWN_FOLDER } from "./own_file.ts";

export interface OpenDatabaseOptions {
  /** `file:…` for a file in this process; `libsql://…`, `https://…` or `http://…` for a server. */
  readonly url: string;
  readonly authToken?: string;
  /** Namespace of a server with several databases. Absent: there is one. */
  readonly namespace?: string;
  /** Milliseconds that a write waits for a lock. */
  readonly busyTimeout?: number;
  /** `NORMAL` is faster. It may lose the last commits in a power failure, but never when the process dies. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** Time limits of statements. Absent: none. */
  readonly limits?: StatementLimits | null | undefined;
}

export const BUSY_TIMEOUT_MS = 5000;
const NO_SERVER =
  "Cannot open the database: DATABASE_URL must name a server, as in 'libsql://db.example.com'";
const REMOTE_SCHEMES: readonly string[] = ["libsql:", "https:", "http:"];

/** Opens the database with the driver of the URL's scheme. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, busyTimeout = BUSY_TIMEOUT_MS, synchronous = "FULL", limits = null } = options;
  if (url.startsWith("file:")) {
    const path = filePathOf(url);
    await Deno.mkdir(dirname(path), OWN_FOLDER);
    // The native driver is loaded on demand, because a host with a libSQL server may forbid native code.
    const { openEmbedded } = await import("./libsql/embedded_database.ts");
    return openEmbedded({ path, busyTimeout, synchronous, limits });
  }
  if (REMOTE_SCHEMES.some((scheme) => url.startsWith(`${scheme}//`))) {
    if (!URL.parse(url)?.host) throw new Error(NO_SERVER);
    const { authToken = null, namespace } = options;
    return openRemote({
      url,
      authToken,
      busyTimeout,
      limits,
      ...(namespace === undefined ? {} : { namespace }),
    });
  }
  throw new Error(
    "Cannot open the database: DATABASE_URL must begin with 'file:', 'libsql://', 'https://' or 'http://'",
  );
}

/** Converts `file:///abs`, `file:/abs` and `file:./relative` to a path. */
export function filePathOf(url: string): string {
  const isAddress = url.startsWith("file://");
  const isLocal = isAddress && ["", "localhost"].includes(URL.parse(url)?.hostname ?? "?");
  const path = isAddress ? (isLocal ? fileURLToPath(url) : "") : url.slice("file:".length);
  if (path === "" || path.endsWith("/") || path.startsWith(":memory:")) {
    throw new Error(
      "Cannot open the database: DATABASE_URL must name a file, as in 'file:./data/app.db'",
    );
  }
  return path;
}
