/** A starter, compiled into a folder. */
import { assert, assertEquals } from "@std/assert";
import { readBuiltHost } from "../../container/built_runtime.ts";
import { readTemplates } from "../../container/templates.ts";
import { compile } from "../../shared/compiler/mod.ts";

export async function writeStarter(name: string, folder: string): Promise<void> {
  const files = readTemplates().find((template) => template.name === name)?.files ?? {};
  const result = compile(files, await readBuiltHost());
  assert(result.ok, JSON.stringify(result));
  assertEquals(result.warnings.map(({ code }) => code), []);
  for (const { path, content } of result.files) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, content);
  }
}
