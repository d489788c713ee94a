/** Documents keep up with the code: the contract map is whole, and no link leads to what is not there. */
import { existsSync } from "node:fs";
import { assertEquals } from "@std/assert";
import { fragmentOf, sectionsOf } from "../support/pages.ts";

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

/** A longer line of a table cannot be read in an editor, and its padding outweighs its text. */
const LONGEST_ROW = 200;

const text = await Deno.readTextFile(MAP);
const [contract = ""] = text.split("## The definition language");
const linked = linksIn(text);

Deno.test("every section of the contract has its code and its tests", () => {
  const mapped = contract.split(/^### /m).slice(1)
    .filter((entry) => /^- Code:\s+\[.*^- Tests:\s+\[/ms.test(entry))
    .flatMap((entry) => /^[\d., ]+/.exec(entry)?.[0].split(",") ?? [])
    .map((section) => section.trim());
  assertEquals(SECTIONS.filter((section) => !mapped.includes(section)), []);
});

Deno.test("a link of a document leads to a file that is there", async () => {
  const missing = (await documents()).flatMap(({ path, text }) =>
    linksIn(text).filter((link) => !existsSync(new URL(link, new URL(path, ROOT))))
      .map((link) => `${path}: ${link}`)
  );
  assertEquals(missing, []);
});

Deno.test("a link into a document leads to a heading that is there", async () => {
  const all = new Map(
    (await documents()).map(({ path, text }) => [new URL(path, ROOT).href, text]),
  );
  const missing = [...all].flatMap(([page, text]) =>
    targetsIn(text).filter((link) => {
      const [path = "", fragment] = link.split("#");
      const target = all.get(path === "" ? page : URL.parse(path, page)?.href ?? "");
      return target !== undefined && fragment !== undefined &&
        !sectionsOf(target).some(({ heading }) => fragmentOf(heading) === fragment);
    }).map((link) => `${page.replace(ROOT.href, "")}: ${link}`)
  );
  assertEquals(missing, []);
});

Deno.test("no line of a table in a document is longer than 200 characters", async () => {
  const tooLong: string[] = [];
  for (const { path, text } of await documents()) {
    for (const [index, line] of text.split("\n").entries()) {
      if (/^\s*\|/.test(line) && line.length > LONGEST_ROW) tooLong.push(`${path}:${index + 1}`);
    }
  }
  assertEquals(tooLong, [], "Write these tables as lists, as the other decisions are");
});

Deno.test("every black-box test stands in the contract map", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("tests/contract/", ROOT))) {
    if (name.endsWith("_test.ts")) names.push(`../tests/contract/${name}`);
  }
  assertEquals(names.filter((name) => !linked.includes(name)).sort(), []);
});

interface Document {
  /** From the root of this repository. */
  readonly path: string;
  readonly text: string;
}

/** This repository's Markdown files: those at its root, below `docs` and of `tools/bench`. */
async function documents(): Promise<readonly Document[]> {
  const documents: Document[] = [];
  const folders = ["", "docs/", "tools/bench/"];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(new URL(`./${folder}`, ROOT))) {
      const path = folder + name;
      if (isDirectory && folder.startsWith("docs/")) folders.push(`${path}/`);
      if (!name.endsWith(".md")) continue;
      documents.push({ path, text: await Deno.readTextFile(new URL(path, ROOT)) });
    }
  }
  return documents;
}

/** Links into this repository, without their fragments. */
function linksIn(markdown: string): readonly string[] {
  return targetsIn(markdown).map((target) => target.replace(/#.*/, ""))
    .filter((path) => path !== "" && !/^[a-z]+:/.test(path));
}

/** Where links lead, those that stand below their text too. */
function targetsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, below]) => inline ?? below ?? "");
}
