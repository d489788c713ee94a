/** Where facts about this program's own files are kept: the folder for caches of whoever runs it. */
import { join } from "node:path";
import type { KeptFacts } from "../bundle/prebundle.ts";
import { DiskCache } from "./disk_cache.ts";
import { FRESH_FACTS, keptFacts } from "./kept_facts.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export function ownFacts(): KeptFacts {
  const folder = cacheFolder(Deno.env);
  if (folder === null) return FRESH_FACTS;
  return keptFacts(new DiskCache({ folder, maxBytes: MAX_BYTES, onFault: warn }));
}

function warn(error: unknown): void {
  console.warn(`A cache cannot be used: ${error instanceof Error ? error.message : error}`);
}

/** XDG Base Directory; null where nobody is at home. */
function cacheFolder(env: Pick<Deno.Env, "get">): string | null {
  const home = env.get("HOME") ?? env.get("LOCALAPPDATA");
  const base = env.get("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  return base ? join(base, "quickback") : null;
}
