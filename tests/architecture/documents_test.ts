/** Documents keep up with the code: the contract map is whole, and no link leads to what is not there. */
import { existsSync } from "node:fs";
import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);
const MAP = new URL("docs/contract-map.md", ROOT);

/** The contract's own headings, but for its first and its introductions. */
const SECTIONS = [
  ...["2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.11", "2.12"],
  ...["3.1", "3.2", "3.3", "3.4"],
  ...["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8"],
  ...["5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "5.9"],
  ...["6.1", "6.2", "6.3", "6.4"],
  ...["7.1", "7.2", "8", "8.1", "8.2"],
  ...["9.1", "9.2", "9.3", "9.4", "9.5", "9.6"],
];

const text = await Deno.readTextFile(MAP);
const [contract = ""] = text.split("The definition language:");
const linked = linksIn(text);

Deno.test("every section of the contract has its code and its tests", () => {
  const rows = [...contract.matchAll(/^\| (\d[\d., ]*)[^|]*\|([^|]*)\|([^|]*)\|$/gm)];
  const mapped = rows.filter(([, , code = "", tests = ""]) =>
    /\]\(/.test(code) && /\]\(/.test(tests)
  )
    .flatMap(([, sections = ""]) => sections.split(",").map((section) => section.trim()));
  assertEquals(SECTIONS.filter((section) => !mapped.includes(section)), []);
});

Deno.test("whatever a document links to is there", async () => {
  const missing: string[] = [];
  for (const folder of ["./", "docs/", "docs/decisions/", "bench/"]) {
    for await (const { name } of Deno.readDir(new URL(folder, ROOT))) {
      if (!name.endsWith(".md")) continue;
      const url = new URL(folder + name, ROOT);
      for (const path of linksIn(await Deno.readTextFile(url))) {
        if (!existsSync(new URL(path, url))) missing.push(`${folder}${name}: ${path}`);
      }
    }
  }
  assertEquals(missing, []);
});

Deno.test("every black-box test stands in the contract map", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("tests/contract/", ROOT))) {
    if (name.endsWith("_test.ts")) names.push(`../tests/contract/${name}`);
  }
  assertEquals(names.filter((name) => !linked.includes(name)).sort(), []);
});

/** Links into this repository, without their fragments. */
function linksIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = ""]) => path)
    .filter((path) => !/^[a-z]+:/.test(path));
}
