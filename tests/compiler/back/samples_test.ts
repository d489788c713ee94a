/** What small projects become: `samples/<case>/{input,expected}`; `UPDATE_GOLDEN=1` writes the expected files anew. */
import { assert, assertEquals } from "@std/assert";
import { compile, type GeneratedFile } from "../../../shared/compiler/mod.ts";
import { BARE_HOST, filesBelow, projectFiles } from "../../support/sample_files.ts";

const SAMPLES = new URL("../samples/", import.meta.url);

/** With tests of their own. */
const ELSEWHERE = [
  "openapi.json",
  "quickback/drizzle/features/meta/0000_snapshot.json",
  "reports/conformance.manifest.json",
  "reports/operations.manifest.json",
  "schema-registry.json",
  "client.d.ts",
];

for (const { name } of [...Deno.readDirSync(SAMPLES)].filter((entry) => entry.isDirectory)) {
  Deno.test(`compile() turns the sample '${name}' into the expected files`, async () => {
    const folder = new URL(`${name}/`, SAMPLES);
    const result = compile(await projectFiles(new URL("input/", folder)), BARE_HOST);
    assert(result.ok, JSON.stringify(result));
    const files = result.files.filter(({ path }) => !ELSEWHERE.includes(path));
    const expected = new URL("expected/", folder);
    if (Deno.env.get("UPDATE_GOLDEN") === "1") await writeAll(expected, files);
    assertEquals(
      Object.fromEntries(files.map(({ path, content }) => [path, content])),
      sorted(await filesBelow(expected)),
    );
  });
}

async function writeAll(folder: URL, files: readonly GeneratedFile[]): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
  for (const { path, content } of files) {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, content);
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

function sorted(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1));
}
