/** Checks a compiled output for leaks, in this process. */
import { leakcheck, type LeakcheckOptions, type LeakReport } from "../../shared/leakcheck/mod.ts";
import { loadCompiled } from "./compiled_code.ts";
import { leakHost } from "./leak_host.ts";

export async function checkOutput(
  folder: string,
  options: LeakcheckOptions = {},
): Promise<LeakReport> {
  const code = await loadCompiled(folder);
  const databases = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  try {
    return await leakcheck(code.project, leakHost(code, databases), options);
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}
