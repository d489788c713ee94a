/** Bundles a module of this repository, and the pinned packages that it imports, into one script for a browser. */
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { NpmPackages, packageName } from "./bundle/npm_packages.ts";
import { readPins } from "./host.ts";

/** Of the bundle that is made: the end of one ends the bundler for all. */
let last: Promise<unknown> = Promise.resolve();

/** Repository-relative. Packages that are not here yet are fetched by the platform, the bundler among them. */
export function bundleForBrowser(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const bundle = last.then(() => bundled(entry));
  // The next waits for the end of this one, however it ended; the caller hears of it.
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
      // A tsconfig.json around the repository means nothing.
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
    // Of a package that is pinned by one of its files alone, that file leads to it.
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
        // Only a path of this machine begins with a letter and a colon; the entry is no package.
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
          // Loading a package is what makes the platform fetch it; the name is no literal, so that starting
          // needs none of them.
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

/** A name that is pinned to one file of its package, as that file: `recheck/browser` → `recheck/lib/browser.js`. */
function pinnedFile(specifier: string, pins: ReadonlyMap<string, string>): string {
  const file = /^npm:@?[^@]+@[^/]+\/(.+)$/.exec(pins.get(specifier) ?? "")?.[1];
  return file === undefined ? specifier : `${packageName(specifier)}/${file}`;
}

/** Modules that a package asks for under Node, and does without in a browser. */
const ABSENT = "absent";

const OWN_FOLDER = fileURLToPath(new URL("../", import.meta.url));
