/** Bundles a module of this repository, and the pinned packages that it imports, into one script for a browser. */
import { fileURLToPath } from "node:url";
import type { OnResolveArgs, Plugin } from "esbuild";
import { NpmPackages, packageName } from "./bundle/npm_packages.ts";
import { readPins } from "./host.ts";

/** Repository-relative. Packages that are not here yet are fetched by the platform, the bundler among them. */
export async function bundleForBrowser(entry: string): Promise<Uint8Array<ArrayBuffer>> {
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
  const packages = new NpmPackages({
    pins: Object.fromEntries(readPins()),
    conditions: ["browser", "module", "default"],
  });
  return {
    name: "pinned-packages",
    setup: (build) =>
      build.onResolve({ filter: /^[^./]/ }, async (args) => {
        // Only a path of this machine begins with a letter and a colon; the entry is no package.
        if (args.kind === "entry-point") return null;
        const found = await resolved(args, packages);
        return found === null
          ? { errors: [{ text: `Package '${args.path}' is not installed` }] }
          : { path: found.path, sideEffects: found.hasSideEffects };
      }),
  };
}

const OWN_FOLDER = fileURLToPath(new URL("../", import.meta.url));

async function resolved({ path: specifier, importer, kind }: OnResolveArgs, packages: NpmPackages) {
  const isOwn = importer.startsWith(OWN_FOLDER);
  if (isOwn) await fetched(specifier);
  return packages.resolve({
    specifier,
    importer: isOwn ? null : importer,
    isRequire: kind === "require-call" || kind === "require-resolve",
  });
}

/** Loading a package is what makes the platform fetch it; the name is no literal, so that starting needs none of them. */
async function fetched(specifier: string): Promise<void> {
  const name = packageName(specifier);
  await import(name === specifier ? name : specifier);
}
