/** The project of the walks as it is compiled: its modules and its own copy of the runtime, with or without planted faults. */
import { pathToFileURL } from "node:url";
import { type CompiledModules, compiledModules } from "../../library/testing/compiled_modules.ts";
import { readMigrations } from "../../library/platform/mod.ts";
import type * as accounts from "../../shared/accounts/mod.ts";
import type * as runtime from "../../shared/runtime/mod.ts";
import { compiledFiles, type Patch, patched, withOutput } from "../support/leaky_project.ts";
import { WALKED_PROJECT } from "./walked_project.ts";

export interface WalkedOutput extends CompiledModules {
  readonly runtime: typeof runtime;
  readonly accounts: typeof accounts;
  readonly migrations: readonly runtime.Migration[];
}

/** Gives the body the compiled project, with these changes to its copy of the runtime. `name`: of its folder. */
export function withWalkedOutput<T>(
  { name, patches = [] }: { readonly name: string; readonly patches?: readonly Patch[] },
  body: (output: WalkedOutput) => Promise<T>,
): Promise<T> {
  const files = patched(compiledFiles(WALKED_PROJECT), patches);
  return withOutput(name, files, async (folder) => await body(await load(folder)));
}

async function load(folder: string): Promise<WalkedOutput> {
  const below = (path: string) => pathToFileURL(`${folder}/src/quickback/${path}`).href;
  const [modules, runtime, accounts, migrations] = await Promise.all([
    compiledModules(folder),
    import(below("runtime/mod.ts")),
    import(below("accounts/mod.ts")),
    readMigrations(`${folder}/quickback/drizzle/features`),
  ]);
  if (!isRuntime(runtime) || !isAccounts(accounts)) {
    throw new Error(`The output in "${folder}" carries no runtime`);
  }
  return { ...modules, runtime, accounts, migrations };
}

function isRuntime(found: object): found is typeof runtime {
  return "createApp" in found && "createBackgroundWorker" in found;
}

function isAccounts(found: object): found is typeof accounts {
  return "createAccounts" in found;
}
