/** What every output carries, bundled with all of its packages for each platform (contract 4.8). */
import { assert, assertEquals } from "@std/assert";
import { startBundler } from "../../../container/bundle/bundler.ts";
import { gzippedBytes } from "../../../container/bundle/bundle_check.ts";
import { KNOWN_MODULES } from "../../../container/bundle/known_modules.ts";
import { NpmPackages } from "../../../container/bundle/npm_packages.ts";
import { exportsOf, packagePlugin } from "../../../container/bundle/module_catalogue.ts";
import { readCompileHost } from "../../../container/host.ts";
import { TARGETS } from "../../../shared/compiler/mod.ts";

const HOST = readCompileHost({ version: "0.0.0" });
const CARRIED = { ...HOST.vendored, ...HOST.platforms?.cloudflare?.vendored };

/** The bundler has a life of its own between two tests. */
const SHARED = { sanitizeOps: false, sanitizeResources: false };

for (const target of Object.values(TARGETS)) {
  Deno.test({
    ...SHARED,
    name: `known modules export on ${target.title} what they export here`,
    async fn() {
      const { plugin, run } = await bundled(Object.keys(KNOWN_MODULES), target, false);
      assert(run.metafile !== null, run.errors[0]?.text);
      const sorted = Object.entries(KNOWN_MODULES).map(([name, names]) =>
        [name, names?.toSorted() ?? null] as const
      );
      assertEquals({ ...exportsOf(run.metafile, plugin) }, Object.fromEntries(sorted));
    },
  });
}

Deno.test({
  ...SHARED,
  name: "what a Worker carries resolves, runs there, and is as large as the size check counts",
  async fn() {
    const target = TARGETS.cloudflare;
    assert(target.size !== null);
    const faces = ["accounts/mod.ts", "platform/cloudflare/mod.ts", "runtime/mod.ts"];
    const entries = faces.map((face) => `src/quickback/${face}`);
    const { plugin, run } = await bundled(entries, target, true);
    assert(run.metafile !== null, run.errors[0]?.text);
    assertEquals(plugin.problems.filter(({ specifier }) => !OPTIONAL.has(specifier)), []);
    const bytes = await gzippedBytes(run.outputs);
    assert(bytes <= target.size.carried, `${bytes} bytes are more than the check counts`);
    assert(bytes > target.size.carried / 4, `${bytes} bytes are far less than the check counts`);
  },
});

/** Imported where they are there, left out where they are not. */
const OPTIONAL = new Set(["@opentelemetry/api"]);

async function bundled(
  names: readonly string[],
  target: (typeof TARGETS)["deno"],
  followsCarried: boolean,
) {
  const packages = new NpmPackages({ pins: HOST.imports, conditions: target.conditions });
  const plugin = packagePlugin({ target, packages, carried: CARRIED, followsCarried });
  const bundle = await startBundler();
  const entries = Object.fromEntries(names.map((name, index) => [`entry${index}`, name]));
  return { plugin, run: await bundle({ entries, plugin: plugin.plugin }) };
}
