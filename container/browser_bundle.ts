/** Bundles a module of this repository, with the pinned packages that it imports, into one script for a browser. */
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { NpmPackages, packageName } from "./bundle/npm_packages.ts";
import { readPins } from "./host.ts";

/** The bundle in progress. Stopping the bundler would stop it for all bundles. */
let last: Promise<unknown> = Promise.resolve();

/** Bundles the module at a repository path. The platform fetches missing packages, the bundler included. */
export function bundleForBrowser(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const bundle = last.then(() => bundled(entry));
  // The next bundle waits for this one, whether it succeeds or fails. The caller gets the failure.
  last = bundle.catch(() => null);
  return bundle;
}

async function bundled(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const esbuild = await import("esbuild");
  try {
    const { outputFiles: [script] } = await esbuild.build({
      entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
      bundle: true,
      write: false,
      minify: true,
      format: "esm",
      target: "es2022",
      logLevel: "silent",
      // A tsconfig.json above the repository is ignored.
      tsconfigRaw: "{}",
      plugins: [pinnedPackages()],
    });
    if (script === undefined) throw new Error(`Bundling '${entry}' wrote nothing`);
    return new Uint8Array(script.contents);
  } finally {
    await esbuild.stop();
  }
}

function pinnedPackages(): Plugin {
  const pins = readPins();
  const packages = new NpmPackages({
    // A package may be pinned by one of its files only, which then stands for the package.
    pins: Object.fromEntries(
      [...pins].flatMap(([name, pin]) => [[packageName(name), pin]]).concat([...pins]),
    ),
    conditions: ["browser", "module", "default"],
  });
  return {
    name: "pinned-packages",
    setup: (build) => {
      build.onLoad({ filter: /.*/, namespace: ABSENT }, () => ({ contents: "" }));
      build.onResolve({ filter: /^[^./]/ }, async (args) => {
        // The entry is a path of this machine, and no package.
        if (args.kind === "entry-point") return null;
        const { path: specifier, importer, kind } = args;
        const isOwn = importer.startsWith(OWN_FOLDER);
        if (
          !isOwn && kind === "require-call" &&
          (isBuiltin(specifier) || specifier === "source-map-support")
        ) {
          return { path: specifier, namespace: ABSENT };
        }
        if (isOwn) {
          // Importing a package makes the platform fetch it. The name is no literal, so that a start does not need the package.
          const name = packageName(specifier);
          await import(name === specifier ? name : specifier);
        }
        const found = packages.resolve({
          specifier: isOwn ? pinnedFile(specifier, pins) : specifier,
          importer: isOwn ? null : importer,
          isRequire: kind === "require-call" || kind === "require-resolve",
        });
        return found === null
          ? { errors: [{ text: `Package '${args.path}' is not installed` }] }
          : { path: found.path, sideEffects: found.hasSideEffects };
      });
    },
  };
}

/** Returns the file that a name is pinned to: `recheck/browser` → `recheck/lib/browser.js`. */
function pinnedFile(specifier: string, pins: ReadonlyMap<string, string>): string {
  const file = /^npm:@?[^@]+@[^/]+\/(.+)$/.exec(pins.get(specifier) ?? "")?.[1];
  return file === undefined ? specifier : `${packageName(specifier)}/${file}`;
}

/** Stands for modules that a package uses under Node and does not need in a browser. */
const ABSENT = "absent";

const OWN_FOLDER = fileURLToPath(new URL("../", import.meta.url));
