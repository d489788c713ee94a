/**
 * Measures the bundle check of a project with ten resources, each with an action: in a thread of the container, and with native
 * esbuild over the same files and resolver. Run it by `deno run -A tools/bench/bundle_check.ts`.
 */
import { build, stop } from "esbuild";
import {
  bundleChecks,
  type BundledCompilation,
  type CheckBundle,
} from "../../container/bundle/bundle_check.ts";
import { bundle } from "../../container/bundle/bundler.ts";
import { BundleThread } from "../../container/bundle_thread.ts";
import { readCompileHost } from "../../container/host.ts";
import { compile, VERSION } from "../../shared/compiler/mod.ts";
import { measure } from "./measure.ts";

const RESOURCES = 10;
const COLD_ROUNDS = 5;
/** Runs before measuring, until the engine has optimized the code. */
const WARM_UPS = 15;
const PLATFORMS = { deno: "Deno Deploy", cloudflare: "Cloudflare Workers" } as const;
type Platform = keyof typeof PLATFORMS;
const HOST = readCompileHost({ version: VERSION });

export async function printBundleCheck(): Promise<void> {
  const deno = compiledProject("deno");
  const cold = [await coldMicros(wasm, deno), await coldMicros(native, deno)];
  const started = [wasm(), native()];
  const checks = started.map(({ check }) => check);
  const warm = await warmMicros(checks, deno);
  const warmOnWorkers = await warmMicros(checks, compiledProject("cloudflare"));
  for (const { end } of started) await end();
  console.log("\n| A bundle check of ten resources | in the container | native esbuild | ratio |");
  console.log("|---|--:|--:|--:|");
  printRow("cold, from the start of its thread", cold);
  printRow(`warm, for ${PLATFORMS.deno}`, warm);
  printRow(`warm, for ${PLATFORMS.cloudflare}`, warmOnWorkers);
}

interface Started {
  readonly check: CheckBundle;
  readonly end: () => void | Promise<void>;
}

function wasm(): Started {
  const thread = new BundleThread(HOST);
  return { check: thread.check.bind(thread), end: () => thread[Symbol.dispose]() };
}

function native(): Started {
  return {
    check: bundleChecks(HOST, () => Promise.resolve((options) => bundle(build, options))),
    end: stop,
  };
}

/** Returns the median time until the first answer, including the bundler's start. */
async function coldMicros(
  start: () => Started,
  compilation: BundledCompilation,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const since = performance.now();
    const { check, end } = start();
    requireClean(await check(compilation));
    times.push((performance.now() - since) * 1000);
    await end();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(COLD_ROUNDS / 2)] ?? NaN;
}

/** Returns the median time of a check. One action is edited between two checks. */
async function warmMicros(
  checks: readonly CheckBundle[],
  compilation: BundledCompilation,
): Promise<readonly number[]> {
  let edits = 0;
  const runs = checks.map((check) => async () =>
    requireClean(await check(edited(compilation, edits++)))
  );
  for (const run of runs) for (let round = 0; round < WARM_UPS; round++) await run();
  return await measure(runs.map((run, at) => ({ name: String(at), run })), 1);
}

const EDITED = "src/authored/features/item0/actions/close.ts";

function edited({ model, files }: BundledCompilation, edit: number): BundledCompilation {
  const text = `Close it, ${edit}`;
  return {
    model,
    files: files.map((file) =>
      file.path === EDITED ? { ...file, content: file.content.replace("Close it", text) } : file
    ),
  };
}

function requireClean({ errors }: Awaited<ReturnType<CheckBundle>>): void {
  if (errors.length > 0) throw new Error(`The project does not bundle: ${JSON.stringify(errors)}`);
}

function compiledProject(platform: Platform): BundledCompilation {
  const resources = Array.from({ length: RESOURCES }, (_, at) => resourceFiles(`item${at}`));
  const config = { "quickback/quickback.config.ts": configText(platform) };
  const result = compile(Object.assign(config, ...resources), HOST);
  if (!result.ok) throw new Error(`The project does not compile: ${JSON.stringify(result.errors)}`);
  return result;
}

function configText(platform: Platform): string {
  return `import { defineConfig } from "quickback";
export default defineConfig({ name: "ten", providers: { runtime: { name: "${platform}" } } });
`;
}

function resourceFiles(name: string): Readonly<Record<string, string>> {
  const folder = `quickback/features/${name}`;
  return {
    [`${folder}/${name}.ts`]: `import { feature, q } from "quickback";

export default feature("${name}s", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
    state: q.text(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
});
`,
    [`${folder}/actions/close.ts`]: `import { defineAction } from "quickback";
import { and } from "drizzle-orm";
import { z } from "zod";
import { spoken } from "../lib/spoken.ts";

export default defineAction({
  description: "Close it",
  input: z.object({ note: z.string().max(2000) }),
  access: { roles: ["AUTHENTICATED"] },
  execute({ record, input }) {
    return Promise.resolve({ id: record.id, said: spoken(input.note), and: typeof and });
  },
});
`,
    [`${folder}/lib/spoken.ts`]: `export function spoken(text: string): string {
  return text.trim().toLowerCase();
}
`,
  };
}

function printRow(name: string, [ours = NaN, native = NaN]: readonly number[]): void {
  const cells = [name, millis(ours), millis(native), `${(ours / native).toFixed(1)} ×`];
  console.log(`| ${cells.join(" | ")} |`);
}

function millis(micros: number): string {
  return `${(micros / 1000).toFixed(0)} ms`;
}

if (import.meta.main) await printBundleCheck();
