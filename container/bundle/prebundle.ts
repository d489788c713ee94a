/** What projects are checked against, bundled once: what they carry along and its packages (contract 4.8). */
import type { RawFiles, Target } from "../../shared/compiler/mod.ts";
import type { Bundle } from "./bundler.ts";
import { gzippedBytes } from "./gzipped_bytes.ts";
import { NpmPackages } from "./npm_packages.ts";
import { exportsOf, packagePlugin } from "./package_plugin.ts";

/** JSON: it crosses threads and is kept on disk. */
export interface Prebundle {
  /** By path in the output or name of a package: the names that it exports, null where only its run shows them. */
  readonly modules: ExportedNames;
  /** All of it, compressed; null where the platform has no limit. */
  readonly bytes: number | null;
}

export type ExportedNames = Readonly<Record<string, readonly string[] | null>>;

export interface PrebundleOptions {
  /** Called when a fact is not kept. */
  readonly bundle: () => Promise<Bundle>;
  readonly target: Target;
  /** Text of the module that the platform loads first. */
  readonly entry: string;
  /** The carried files of an output by their paths. */
  readonly carried: RawFiles;
  /** npm specifiers of the output by bare name. */
  readonly pins: Readonly<Record<string, string>>;
  readonly kept: KeptFacts;
}

/** Makes a fact, or finds it where an earlier run has kept it. What it follows from is its key. */
export type KeptFacts = (
  follows: readonly unknown[],
  make: () => Promise<unknown>,
) => Promise<unknown>;

/** What authored and generated code imports without listing it. */
const PACKAGES = ["drizzle-orm", "drizzle-orm/sqlite-core", "hono", "zod"];
const CARRIED = [
  "src/quickback/authoring/action.ts",
  "src/quickback/authoring/mod.ts",
  "src/quickback/model/access.ts",
  "src/quickback/model/table_spec.ts",
];

export async function prebundle(options: PrebundleOptions): Promise<Prebundle> {
  const { target, carried, pins, kept } = options;
  const platform = [target.title, target.conditions];
  const packages = await kept(["packages", platform, pins], () => namesOf(PACKAGES, options));
  const entries = CARRIED.filter((path) => Object.hasOwn(carried, path));
  const own = await kept(["carried", platform, carried], () => namesOf(entries, options));
  const bytes = target.size === null
    ? null
    : await kept(["bytes", platform, pins, carried], () => bytesOf(options));
  if (!isNames(packages) || !isNames(own) || !isBytes(bytes)) {
    throw new Error("What was kept of an earlier prebundle is none");
  }
  return { modules: { ...packages, ...own }, bytes };
}

/** Packages of carried code need only be there. */
async function namesOf(
  entries: readonly string[],
  { bundle, target, carried, pins }: PrebundleOptions,
): Promise<ExportedNames> {
  const packages = new NpmPackages({ pins, conditions: target.conditions });
  const plugin = packagePlugin({ target, packages, carried, followsCarried: false });
  const run = await bundle();
  const { metafile, errors } = await run({ entries: numbered(entries), plugin: plugin.plugin });
  if (metafile === null) throw unbundled(errors);
  return exportsOf(metafile, plugin);
}

/** What the platform's entry imports of the carried code, with all of its packages. */
async function bytesOf(options: PrebundleOptions): Promise<number> {
  const { bundle, target, carried, pins } = options;
  const packages = new NpmPackages({ pins, conditions: target.conditions });
  const plugin = packagePlugin({ target, packages, carried, followsCarried: true });
  const run = await bundle();
  const { metafile, errors, outputs } = await run({
    entries: numbered(facesOf(options)),
    plugin: plugin.plugin,
  });
  if (metafile === null) throw unbundled(errors);
  return await gzippedBytes(outputs);
}

const ALIAS = /from "quickback\/(\w+)"/g;

/** `quickback/runtime` is `runtime/mod.ts`, `quickback/cloudflare` is that part of the platform. */
function facesOf({ entry, carried }: PrebundleOptions): readonly string[] {
  return [...entry.matchAll(ALIAS)].flatMap(([, name]) =>
    [`src/quickback/${name}/mod.ts`, `src/quickback/platform/${name}/mod.ts`]
      .filter((path) => Object.hasOwn(carried, path))
  );
}

function numbered(entries: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(entries.map((name, index) => [`entry${index}`, name]));
}

function unbundled([first]: readonly { readonly text: string }[]): Error {
  return new Error(`What outputs carry cannot be bundled: ${first?.text ?? "no reason"}`);
}

function isNames(value: unknown): value is ExportedNames {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((names) =>
      names === null || (Array.isArray(names) && names.every((name) => typeof name === "string"))
    );
}

function isBytes(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}
