/** The bundle check over one compile host: the bundler starts with its first use. */
import {
  type CheckFindings,
  type CompileHost,
  type ProjectModel,
  TARGETS,
} from "../../shared/compiler/mod.ts";
import { type BundledCompilation, checkBundle } from "./bundle_check.ts";
import { type Bundle, startBundler } from "./bundler.ts";
import { ModuleCatalogue } from "./module_catalogue.ts";

type Runtime = ProjectModel["runtime"];
type HostFiles = Pick<CompileHost, "template" | "vendored" | "platforms" | "imports">;

export type CheckBundle = (compilation: BundledCompilation) => Promise<CheckFindings>;

/** Checks per platform, each made once, so that modules' exports are found out once. */
export function bundleChecks(
  host: HostFiles,
  start: () => Promise<Bundle> = startBundler,
): CheckBundle {
  const checkers = new Map<Runtime, Promise<CheckBundle>>();
  return async (compilation) => {
    const { runtime } = compilation.model;
    const checker = checkers.get(runtime) ??
      start().then((bundle) => checkerFor(runtime, { host, bundle }));
    checkers.set(runtime, checker);
    return await (await checker)(compilation);
  };
}

function checkerFor(
  runtime: Runtime,
  { host, bundle }: { readonly host: HostFiles; readonly bundle: Bundle },
): CheckBundle {
  const target = TARGETS[runtime];
  const { template, carried } = filesFor(runtime, host);
  const catalogue = new ModuleCatalogue({ bundle, target, carried, pins: host.imports });
  const paths = new Set(Object.keys(template));
  return (compilation) => checkBundle(compilation, { bundle, target, catalogue, template: paths });
}

function filesFor(runtime: Runtime, { template, vendored, platforms }: HostFiles) {
  const own = platforms?.[runtime];
  return own === undefined
    ? { template, carried: vendored }
    : { template: own.template, carried: { ...vendored, ...own.vendored } };
}
