/** A starter, compiled into a folder. */
import { assert, assertEquals } from "@std/assert";
import { readBuiltHost } from "../../container/built_runtime.ts";
import { readTemplates } from "../../container/templates.ts";
import { compile } from "../../shared/compiler/mod.ts";

/** Private notes outlive what they are about, where somebody else deletes it: their author still reads them. */
const WARNINGS: Readonly<Record<string, readonly string[]>> = {
  helpdesk: ["CASCADE_NARROWER"],
  saas: ["CASCADE_NARROWER"],
};

export async function writeStarter(name: string, folder: string): Promise<void> {
  const files = readTemplates().find((template) => template.name === name)?.files ?? {};
  const result = compile(files, await readBuiltHost());
  assert(result.ok, JSON.stringify(result));
  assertEquals(result.warnings.map(({ code }) => code), WARNINGS[name] ?? []);
  for (const { path, content } of result.files) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, content);
  }
}
