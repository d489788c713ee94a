/** `@quickback/client`: a package with the typed client alone, without dependencies (docs/decisions/package.md). */
import { build, stop } from "esbuild";
import { dirname, join } from "node:path";
import { CLIENT_PACKAGE, VERSION } from "../../shared/contract/mod.ts";
import { bundleOptions, declarationsOf, type Places } from "./library.ts";

const SOURCES = "library/client/";

/** Sources by the name of the module that a page loads. */
const MODULES = { index: `${SOURCES}mod.ts`, tanstack: `${SOURCES}tanstack.ts` } as const;

export function clientManifest() {
  return {
    name: CLIENT_PACKAGE,
    version: VERSION,
    description: "The typed client of an API that quickback made",
    license: "MIT",
    type: "module",
    sideEffects: false,
    exports: {
      ".": { types: "./types/mod.d.ts", default: "./index.js" },
      "./tanstack": { types: "./types/tanstack.d.ts", default: "./tanstack.js" },
      "./package.json": "./package.json",
    },
    files: ["index.js", "tanstack.js", "types"],
    engines: { node: ">=20" },
    publishConfig: { access: "public" },
  };
}

/** Writes the package's folder for `npm pack`. */
export async function writeClientPackage({ root, out }: Places): Promise<void> {
  const paths = Object.values(MODULES);
  await build({
    ...bundleOptions([], { root, out }),
    entryPoints: Object.entries(MODULES).map(([name, path]) => ({
      in: join(root, path),
      out: name,
    })),
  });
  await stop();
  for (const [path, text] of declarationsOf(paths, root)) {
    const target = join(out, "types", path.slice(SOURCES.length));
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text);
  }
  await Deno.copyFile(join(root, SOURCES, "README.md"), join(out, "README.md"));
  await Deno.copyFile(join(root, "LICENSE"), join(out, "LICENSE"));
  const manifest = JSON.stringify(clientManifest(), null, 2);
  await Deno.writeTextFile(join(out, "package.json"), `${manifest}\n`);
}
