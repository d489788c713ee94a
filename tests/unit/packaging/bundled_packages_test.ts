/** Packages in the published runtime: bundled with their licenses, or refused where a bundle could not run them. */
import { assertEquals, assertMatch } from "@std/assert";
import { build, type BuildFailure, stop } from "esbuild";
import { join } from "node:path";
import { BundledPackages } from "../../../tools/packaging/bundled_packages.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

/** The bundler is a process, which ends with its last user. */
const SHARED = { sanitizeOps: false, sanitizeResources: false };

async function bundled(text: string, packages: BundledPackages): Promise<string> {
  return await withTempFolder(async (folder) => {
    const entry = join(folder, "entry.ts");
    await Deno.writeTextFile(entry, text);
    try {
      const { outputFiles: [file] } = await build({
        entryPoints: [entry],
        bundle: true,
        write: false,
        format: "esm",
        platform: "node",
        logLevel: "silent",
        plugins: [packages.plugin],
      });
      return file?.text ?? "";
    } finally {
      await stop();
    }
  });
}

Deno.test({
  name: "a small package is bundled with its license, a shared one stays an import",
  ...SHARED,
  fn: async () => {
    const packages = new BundledPackages();
    const text = await bundled(
      'import { nanoid } from "nanoid"; import { z } from "zod"; console.log(nanoid(), z);',
      packages,
    );
    assertMatch(text, /^import \{ z \} from "zod";$/m);
    assertEquals(/from "nanoid"/.test(text), false);
    assertMatch(text, /^\/\/ npm:nanoid@[\d.]+\//m);
    assertMatch(await packages.licenses(), /^nanoid@[\d.]+\n\n[^]*Andrey Sitnik/);
  },
});

Deno.test({
  name: "a package that requires Node's modules by name is refused: no ES module could",
  ...SHARED,
  fn: async () => {
    const failure = await bundled(
      'import "swagger-ui-dist/absolute-path.js";',
      new BundledPackages(),
    ).then(
      () => null,
      (error: BuildFailure) => error,
    );
    const texts = failure?.errors.map(({ text }) => text) ?? [];
    assertMatch(
      texts.join("\n"),
      /^"swagger-ui-dist@[^"]+" requires "[a-z]+", which no bundle can: name its package in RUNTIME_PACKAGES$/m,
    );
  },
});
