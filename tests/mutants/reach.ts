/** Which test file runs which function of a module: V8's own coverage, by the functions' names. */

/** One test file. */
export interface Reach {
  /** Module → names of the functions that the file runs ("" is the module's top). */
  readonly reached: Readonly<Record<string, readonly string[]>>;
  readonly seconds: number;
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** Runs one test file under coverage; throws when it fails. `root` is the folder of the sources, without a trailing slash. */
export async function reachOf(
  file: string,
  modules: ReadonlySet<string>,
  root: string,
): Promise<Reach> {
  const folder = await Deno.makeTempDir({ prefix: "quickback-reach-" });
  try {
    const started = performance.now();
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--quiet", `--coverage=${folder}`, file],
      cwd: root,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    const seconds = (performance.now() - started) / 1000;
    if (!success) throw new Error(`${file} fails without any fault`);
    return { reached: await readReach(folder, modules, root), seconds };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readReach(
  folder: string,
  modules: ReadonlySet<string>,
  root: string,
): Promise<Reach["reached"]> {
  const reached: Record<string, Set<string>> = {};
  const prefix = `file://${root}/`;
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.isFile || !entry.name.endsWith(".json")) continue;
    const script: ScriptCoverage = JSON.parse(await Deno.readTextFile(`${folder}/${entry.name}`));
    const module = script.url.startsWith(prefix) ? script.url.slice(prefix.length) : "";
    if (!modules.has(module)) continue;
    const names = reached[module] ??= new Set([""]);
    for (const { functionName, ranges } of script.functions) {
      if ((ranges[0]?.count ?? 0) > 0) names.add(functionName);
    }
  }
  return Object.fromEntries(
    Object.entries(reached).map(([module, names]) => [module, [...names].sort()]),
  );
}
