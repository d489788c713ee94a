/** The bundle check: bundles an output for its platform and resolves every import (contract 4.8). */
import { isJsonObject } from "../../shared/lib/json.ts";
import { gzipSync } from "node:zlib";
import * as compiler from "../../shared/compiler/mod.ts";
import { type Bundle, type BundleResult, startBundler } from "./bundler.ts";
import { GeneratedModules } from "./generated_modules.ts";
import { ImportGraph, projectPlugin, STAND_IN } from "./project_plugin.ts";
import type { ImportFinding } from "./module_names.ts";
import { KNOWN_MODULES } from "./known_modules.ts";
import { CARRIED_FOLDER, sourceOf } from "./paths.ts";
import { ModuleCatalogue } from "./module_catalogue.ts";

/** The parts of a compilation that the check reads. */
export interface BundledCompilation {
  readonly model: Pick<compiler.ProjectModel, "runtime" | "dependencies">;
  readonly files: readonly compiler.GeneratedFile[];
}

export interface BundleCheckOptions {
  readonly bundle: Bundle;
  readonly target: compiler.Target;
  readonly catalogue: ModuleCatalogue;
  /** Output paths of files that every project has. */
  readonly template: ReadonlySet<string>;
}

export async function checkBundle(
  compilation: BundledCompilation,
  options: BundleCheckOptions,
): Promise<compiler.CheckFindings> {
  const { model, files } = compilation;
  const byPath = new Map(files.map((file) => [file.path, file]));
  // The import map is the output's own. The package's modules are those that other outputs carry.
  const config: unknown = JSON.parse(byPath.get("deno.json")?.content ?? "{}");
  const imports = isJsonObject(config) && isJsonObject(config.imports) ? config.imports : {};
  const project = {
    files: byPath,
    aliases: new Map(
      Object.entries(imports).flatMap(([name, target]) => {
        // `quickback` exports everything; its other names each export a part.
        if (target === compiler.PACKAGE_SPECIFIER) {
          return Object.entries(compiler.RUNTIME_MODULES)
            .filter(([module]) => name === "quickback" || module === "quickback")
            .map(([module, path]) => [name === "quickback" ? module : name, CARRIED_FOLDER + path]);
        }
        return typeof target === "string" && target.startsWith("./")
          ? [[name, sourceOf(target.slice(2))] as const]
          : [];
      }),
    ),
    listed: new Set(Object.keys(model.dependencies)),
  };
  const generated = new GeneratedModules(project);
  const quick = await bundleProject(project, { ...options, generated });
  const isSmall = staysSmall(quick, generated, options.target.size);
  if (isSmall) return compiler.check({ model, files, problems: quick.problems, bytes: null });
  const whole = await bundleProject(project, { ...options, generated: null });
  const bytes = await gzippedBytes(whole.outputs);
  return compiler.check({ model, files, problems: whole.problems, bytes });
}

interface BundledProject extends Pick<BundleResult, "outputs"> {
  readonly problems: readonly compiler.BundleProblem[];
}

async function bundleProject(
  project: Pick<Context, "files" | "aliases"> & {
    readonly listed: ReadonlySet<string>;
  },
  { bundle, target, catalogue, template, generated }: BundleCheckOptions & {
    readonly generated: GeneratedModules | null;
  },
): Promise<BundledProject> {
  const graph = new ImportGraph();
  const isTemplate = (path: string) => template.has(path);
  const plugin = projectPlugin({ ...project, target, isTemplate, catalogue, generated, graph });
  const entries = { main: target.entry };
  const { errors, warnings, outputs } = await bundle({ entries, plugin, metafile: false });
  const context = { ...project, graph };
  return {
    problems: [...errors, ...warnings].flatMap((one): readonly compiler.BundleProblem[] => {
      // A warning that says nothing about the running code is ignored.
      if (one.location === null) throw new Error(`The bundler failed: ${one.text}`);
      const { file, line, column, length } = one.location;
      const place = { file: file.slice(file.indexOf(":") + 1), line, column, length };
      const { detail, text } = one;
      if (isFinding(detail)) return [importProblem(detail, place, context)];
      const [, module, name] = NO_EXPORT.exec(text) ?? [];
      if (module !== undefined && name !== undefined) {
        return [{ kind: "noExport", name, ...moduleOf(module, context), place }];
      }
      const [, member, owner] = NO_MEMBER.exec(text) ?? [];
      if (member !== undefined && owner !== undefined) {
        return [{ kind: "noMember", name: member, ...moduleOf(owner, context), place }];
      }
      // The bundler gives warnings an id, and errors none.
      return one.id === "" ? [{ kind: "invalid", problem: text, place }] : [];
    }),
    outputs,
  };
}

/** Factor between the compressed size of the separate texts and that of the bundle, which is always far smaller. */
const MARGIN = 2;
const IN_A_HURRY = { level: 1 };

/** True when the bundle cannot reach a size worth reporting, so that it need not be measured. */
function staysSmall(
  { outputs }: BundledProject,
  generated: GeneratedModules,
  size: compiler.Target["size"],
): boolean {
  // An output that cannot be bundled has no size.
  if (size === null || outputs.length === 0) return true;
  const bytes = [...outputs, generated.unread()].map((one) => gzipSync(one, IN_A_HURRY).length);
  return size.carried + MARGIN * bytes.reduce((sum, one) => sum + one, 0) <= size.smallPlanMax;
}

interface Context {
  readonly files: ReadonlyMap<string, compiler.GeneratedFile>;
  readonly graph: ImportGraph;
  readonly aliases: ReadonlyMap<string, string>;
}

const NO_EXPORT = /^No matching export in "(.+)" for import "(.+)"$/;
const NO_MEMBER = /^Import "(.+)" will always be undefined because .+ in "(.+)"$/;

function importProblem(
  { kind, specifier, behind }: ImportFinding,
  place: compiler.OutputPlace,
  { graph, files }: Context,
): compiler.BundleProblem {
  if (kind === "notCode") return { kind, specifier, place };
  const way = graph.chainTo(place.file, (file) => files.get(file)?.origin !== undefined);
  const problem: compiler.ImportProblem = {
    kind,
    specifier,
    chain: [...way, specifier, ...behind],
    place,
  };
  return problem;
}

/** Returns a module under the name that authors import, with its exports. */
function moduleOf(
  address: string,
  { aliases, files }: Context,
): { readonly module: string; readonly available: readonly string[] } {
  const path = address.slice(address.indexOf(":") + 1);
  const alias = [...aliases].find(([, target]) => target === path)?.[0];
  return {
    module: alias ?? files.get(path)?.origin?.file ?? path,
    available: address.startsWith(`${STAND_IN}:`) ? KNOWN_MODULES[path] ?? [] : [],
  };
}

function isFinding(detail: unknown): detail is ImportFinding {
  return isJsonObject(detail) && typeof detail.kind === "string" && Array.isArray(detail.behind);
}

/** Returns the size of all texts compressed together, as platforms measure an upload. */
export async function gzippedBytes(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<number> {
  let bytes = 0;
  const packed = new Blob([...chunks]).stream().pipeThrough(new CompressionStream("gzip"));
  for await (const chunk of packed) bytes += chunk.byteLength;
  return bytes;
}

type Runtime = compiler.ProjectModel["runtime"];

export type CheckBundle = (compilation: BundledCompilation) => Promise<compiler.CheckFindings>;

/**
 * Makes the bundle checks over one compile host. The bundler starts with the first check. There is one check per platform, so
 * that each module's exports are determined once.
 */
export function bundleChecks(
  host: Pick<compiler.CompileHost, "template" | "vendored" | "platforms" | "imports">,
  start: () => Promise<Bundle> = startBundler,
): CheckBundle {
  const checkers = new Map<Runtime, Promise<CheckBundle>>();
  return async (compilation) => {
    const { runtime } = compilation.model;
    const checker = checkers.get(runtime) ??
      start().then((bundle) => {
        const target = compiler.TARGETS[runtime];
        const own = host.platforms?.[runtime];
        const template = own?.template ?? host.template;
        const carried = { ...host.vendored, ...own?.vendored };
        const catalogue = new ModuleCatalogue({ bundle, target, carried, pins: host.imports });
        const paths = new Set(Object.keys(template));
        return (compilation) =>
          checkBundle(compilation, { bundle, target, catalogue, template: paths });
      });
    checkers.set(runtime, checker);
    return await (await checker)(compilation);
  };
}
