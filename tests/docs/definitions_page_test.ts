/** `docs/reference/definitions.md`: its lists are those of the shapes, its examples compile and show every word. */
import { assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../shared/compiler/mod.ts";
import { definitionsPage } from "../support/definitions_page.ts";
import { assertGolden } from "../support/golden.ts";
import { codeBlocks, readPage } from "../support/pages.ts";
import { knownWords, wordsOf } from "../support/words.ts";

const PATH = "docs/reference/definitions.md";
const CONFIG = "quickback/quickback.config.ts";

const page = await readPage(PATH);
/** Per section, and where a file stands there twice, another project. */
const projects = page.split(/^## /m).flatMap(projectsIn);

Deno.test("the lists of definitions.md say what the shapes say", () => {
  assertGolden(PATH, definitionsPage(page));
});

Deno.test("the examples of definitions.md compile", () => {
  for (const files of projects) {
    const validation = validate(files);
    assertEquals(validation.ok ? [] : validation, []);
  }
});

Deno.test("the examples of definitions.md show every word of the language", () => {
  const used = new Set(projects.flatMap((files) => [...wordsOf(files)]));
  assertEquals(knownWords().filter((word) => !used.has(word)), []);
});

Deno.test("definitions.md names every word of the language", () => {
  const prose = page.replaceAll(/^```[^]*?^```$/gm, "");
  const words = knownWords().map((word) => word.replace(/^mask /, ""));
  assertEquals(words.filter((word) => !prose.includes(word)), []);
});

function projectsIn(section: string): readonly RawFiles[] {
  const found: Record<string, string>[] = [];
  for (const { text, after } of codeBlocks(section)) {
    const [, path] = /^`(quickback\/[^`]+)`/.exec(after) ?? [];
    if (path === undefined) throw new Error(`An example has no path: ${after}`);
    const last = found.at(-1);
    if (last && !Object.hasOwn(last, path)) last[path] = text;
    else found.push({ [path]: text });
  }
  return found.map((files) => ({
    [CONFIG]:
      'import { defineConfig } from "quickback";\nexport default defineConfig({ name: "x" });\n',
    ...files,
  }));
}
