/** The bundle check over one compile host: the bundler starts with its first use, each platform is prebundled once. */
import {
  type CheckFindings,
  type CompileHost,
  type ProjectModel,
  TARGETS,
} from "../../shared/compiler/mod.ts";
import { type BundledCompilation, checkBundle } from "./bundle_check.ts";
import { startBundler } from "./bundler.ts";
import { ModuleCatalogue } from "./module_catalogue.ts";
import { type KeptFacts, type Prebundle, prebundle } from "./prebundle.ts";

export type Runtime = ProjectModel["runtime"];
type HostFiles = Pick<CompileHost, "template" | "vendored" | "cloudflare" | "imports">;

export type CheckBundle = (compilation: BundledCompilation) => Promise<CheckFindings>;

export interface Prebundled {
  readonly runtime: Runtime;
  readonly prebundle: Prebundle;
}

/** Every platform that the host writes for, one after the other. */
export async function* prebundles(host: HostFiles, kept: KeptFacts): AsyncGenerator<Prebundled> {
  yield { runtime: "deno", prebundle: await prebundleFor("deno", host, kept) };
  if (host.cloudflare === undefined) return;
  yield { runtime: "cloudflare", prebundle: await prebundleFor("cloudflare", host, kept) };
}

/** `prebundleOf` is asked once for each platform. */
export function bundleChecks(
  host: HostFiles,
  prebundleOf: (runtime: Runtime) => Promise<Prebundle>,
): CheckBundle {
  const checkers = new Map<Runtime, Promise<CheckBundle>>();
  return async (compilation) => {
    const { runtime } = compilation.model;
    const checker = checkers.get(runtime) ?? checkerFor(runtime, host, prebundleOf);
    checkers.set(runtime, checker);
    return await (await checker)(compilation);
  };
}

/** The same in a process that compiles now and then. */
export function lazyBundleChecks(host: HostFiles, kept: KeptFacts): CheckBundle {
  return bundleChecks(host, (runtime) => prebundleFor(runtime, host, kept));
}

async function checkerFor(
  runtime: Runtime,
  host: HostFiles,
  prebundleOf: (runtime: Runtime) => Promise<Prebundle>,
): Promise<CheckBundle> {
  const prebundle = await prebundleOf(runtime);
  const bundle = await startBundler();
  const target = TARGETS[runtime];
  const { template, carried } = filesFor(runtime, host);
  const catalogue = new ModuleCatalogue({ bundle, target, carried, pins: host.imports, prebundle });
  const paths = new Set(Object.keys(template));
  return (compilation) =>
    checkBundle(compilation, { bundle, prebundle, target, catalogue, template: paths });
}

async function prebundleFor(
  runtime: Runtime,
  host: HostFiles,
  kept: KeptFacts,
): Promise<Prebundle> {
  const { template, carried } = filesFor(runtime, host);
  return await prebundle({
    bundle: startBundler,
    target: TARGETS[runtime],
    entry: template[TARGETS[runtime].entry] ?? "",
    carried,
    pins: host.imports,
    kept,
  });
}

function filesFor(runtime: Runtime, { template, vendored, cloudflare }: HostFiles) {
  if (runtime === "deno" || cloudflare === undefined) return { template, carried: vendored };
  return { template: cloudflare.template, carried: { ...vendored, ...cloudflare.vendored } };
}
