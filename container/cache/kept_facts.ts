/** Facts that follow from this program's own files, kept from run to run: what they follow from is their key. */
import { hex } from "../../shared/lib/hex.ts";
import type { KeptFacts } from "../bundle/prebundle.ts";
import type { DiskCache } from "./disk_cache.ts";

/** Counts up when facts are made in another way. */
const EDITION = "1";

export function keptFacts(cache: DiskCache): KeptFacts {
  return async (follows, make) => {
    const key = await hashOf(JSON.stringify([EDITION, ...follows]));
    const kept = await cache.get(key);
    if (kept !== null) return JSON.parse(new TextDecoder().decode(kept));
    const made = await make();
    await cache.set(key, new TextEncoder().encode(JSON.stringify(made)));
    return made;
  };
}

/** Nothing is kept. */
export const FRESH_FACTS: KeptFacts = (_follows, make) => make();

async function hashOf(text: string): Promise<string> {
  return hex(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
  );
}
