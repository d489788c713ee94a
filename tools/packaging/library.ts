/**
 * The exports of the package: the client for pages, and the runtime with the names that authors import, as a few JavaScript
 * modules with declarations (docs/decisions/package.md).
 */
import { build, type BuildOptions, stop } from "esbuild";
import { dirname, join } from "node:path";
import typescript from "typescript";
import { ENTRIES } from "../../container/host.ts";
import { BundledPackages } from "./bundled_packages.ts";

export interface Places {
  readonly root: string;
  readonly out: string;
}

/** Modules by their import name. Outputs do not use the last one. */
const EXPORTED = new Map([...ENTRIES, ["quickback/ide", "library/client/ide.ts"]]);

/** Returns the exports of the package by their import name. */
export function packageExports(): Readonly<Record<string, unknown>> {
  const entries = [...EXPORTED].map(([name, path]) => [
    name.replace(/^quickback/, "."),
    { types: `./lib/types/${path.replace(/ts$/, "d.ts")}`, default: `./lib/${moduleOf(path)}.js` },
  ]);
  return Object.fromEntries(entries);
}

/** Maps `shared/runtime/mod.ts` to `runtime`, `shared/model/access.ts` to `model_access`, without an extension. */
function moduleOf(path: string): string {
  return path.replace(/^(?:shared|library)\//, "").replace(/(?:\/mod)?\.ts$/, "").replaceAll(
    "/",
    "_",
  );
}

export async function writeLibrary(places: Places): Promise<void> {
  const paths = [...EXPORTED.values()];
  const isClient = (path: string) => path.startsWith("library/client/");
  // A page loads one file. Handlers and the runtime must share classes, so their modules are shared.
  await build(bundleOptions(paths.filter(isClient), places));
  const packages = new BundledPackages();
  await build({
    ...bundleOptions(paths.filter((path) => !isClient(path)), places),
    plugins: [packages.plugin],
    platform: "node",
    target: "es2024",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
  });
  await stop();
  await Deno.writeTextFile(join(places.out, "LICENSES.txt"), await packages.licenses());
  const texts = declarationsOf(paths, places.root);
  for (const [path, text] of texts) {
    const target = join(places.out, "types", path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text);
  }
}

export function bundleOptions(paths: readonly string[], { root, out }: Places): BuildOptions {
  return {
    entryPoints: paths.map((path) => ({ in: join(root, path), out: moduleOf(path) })),
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "silent",
  };
}

/** Returns declarations by repository path. The sources were type-checked already. */
export function declarationsOf(
  paths: readonly string[],
  root: string,
): ReadonlyMap<string, string> {
  const { ScriptTarget, ModuleKind, ModuleResolutionKind } = typescript;
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ScriptTarget.ES2022,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    rootDir: root,
    noCheck: true,
  };
  const entries = paths.map((path) => join(root, path));
  // A declaration can name a type of another module only if it is exported, so all types are treated as exported.
  const host = typescript.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) => {
    const text = readFile(path);
    return path.startsWith(root) ? text?.replace(OWN_TYPE, "export $1 $2") : text;
  };
  const program = typescript.createProgram(entries, options, host);
  const [fault] = program.getDeclarationDiagnostics();
  if (fault !== undefined) {
    const reason = typescript.flattenDiagnosticMessageText(fault.messageText, "; ");
    throw new Error(`No declarations of "${fault.file?.fileName}": ${reason}`);
  }
  const texts = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    texts.set(path.slice(root.length), text.replace(TS_ENDING, "$1.js$2"));
  });
  return texts;
}

const OWN_TYPE = /^(interface|type) ([A-Za-z])/gm;

/** Finds imports in declarations, which must name the JavaScript file beside them. */
const TS_ENDING = /((?:from|import\()\s*"\.{1,2}\/[^"]+)\.ts(")/g;
