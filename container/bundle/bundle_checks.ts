/** The bundle check over one compile host: the bundler starts with its first use. */
import {
  type CheckFindings,
  type CompileHost,
  type ProjectModel,
  TARGETS,
} from "../../shared/compiler/mod.ts";
import { type BundledCompilation, checkBundle } from "./bundle_check.ts";
import { startBundler } from "./bundler.ts";
import { ModuleCatalogue } from "./module_catalogue.ts";

type Runtime = ProjectModel["runtime"];
type HostFiles = Pick<CompileHost, "template" | "vendored" | "cloudflare" | "imports">;

export type CheckBundle = (compilation: BundledCompilation) => Promise<CheckFindings>;

/** What modules export is found out once for each platform. */
export function bundleChecks(host: HostFiles): CheckBundle {
  const checkers = new Map<Runtime, Promise<CheckBundle>>();
  return async (compilation) => {
    const { runtime } = compilation.model;
    const checker = checkers.get(runtime) ?? checkerFor(runtime, host);
    checkers.set(runtime, checker);
    return await (await checker)(compilation);
  };
}

async function checkerFor(runtime: Runtime, host: HostFiles): Promise<CheckBundle> {
  const bundle = await startBundler();
  const target = TARGETS[runtime];
  const { template, carried } = filesFor(runtime, host);
  const catalogue = new ModuleCatalogue({ bundle, target, carried, pins: host.imports });
  const paths = new Set(Object.keys(template));
  return (compilation) => checkBundle(compilation, { bundle, target, catalogue, template: paths });
}

function filesFor(runtime: Runtime, { template, vendored, cloudflare }: HostFiles) {
  if (runtime === "deno" || cloudflare === undefined) return { template, carried: vendored };
  return { template: cloudflare.template, carried: { ...vendored, ...cloudflare.vendored } };
}
