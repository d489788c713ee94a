/** Tells an installed command line from a clone's, whose sources projects and outputs take from its own folder. */
import { fileURLToPath } from "node:url";
import { readBuiltHost } from "../container/built_runtime.ts";
import { packageIntegrity } from "../container/package_entry.ts";
import { readCompileHost } from "../container/host.ts";
import type { CompileHost } from "../shared/compiler/mod.ts";
import { onceMade } from "../shared/lib/memo.ts";
import config from "../deno.json" with { type: "json" };
import { VERSION } from "./version.ts";

/** Only the packed configuration names its package. */
export const IS_INSTALLED = "quickback" in config;

/**
 * The host of compiles, read once: `dev` compiles with each save. `vendor`: the output carries the runtime and names no
 * archive.
 */
export function compileHost({ vendor }: { readonly vendor: boolean }): Promise<CompileHost> {
  return vendor ? carrying() : depending();
}

const carrying = onceMade(readBuiltHost);

const depending = onceMade(async () => {
  // Under Deno the sources stand in a copy of their own, away from the package.
  const folder = Deno.env.get("QUICKBACK_PACKAGE") ??
    fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
  const integrity = IS_INSTALLED ? await packageIntegrity(folder) : null;
  return readCompileHost({ version: VERSION, integrity });
});
