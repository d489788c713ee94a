/** Distinguishes an installed command line from a clone, whose projects and outputs use the sources in its own folder. */
import { fileURLToPath } from "node:url";
import { readBuiltHost } from "../container/built_runtime.ts";
import { packageIntegrity } from "../container/package_entry.ts";
import { readCompileHost } from "../container/host.ts";
import type { CompileHost } from "../shared/compiler/mod.ts";
import { onceMade } from "../shared/lib/memo.ts";
import config from "../deno.json" with { type: "json" };
import { VERSION } from "./version.ts";

/** True for an installed command line: only the packed configuration contains the package's name. */
export const IS_INSTALLED = "quickback" in config;

/**
 * Returns the host of compiles, read once, because `dev` compiles with each save. `vendor`: the output contains the runtime and
 * names no archive.
 */
export function compileHost({ vendor }: { readonly vendor: boolean }): Promise<CompileHost> {
  return vendor ? carrying() : depending();
}

const carrying = onceMade(readBuiltHost);

const depending = onceMade(async () => {
  // Under Deno the sources are in a separate copy, away from the package.
  const folder = Deno.env.get("QUICKBACK_PACKAGE") ??
    fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
  const integrity = IS_INSTALLED ? await packageIntegrity(folder) : null;
  return readCompileHost({ version: VERSION, integrity });
});
