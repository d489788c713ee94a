/** What sources and documents cite is there to be read: each citation leads to one heading of docs/reference. */
import { assertEquals } from "@std/assert";
import { RUNTIME_CODES, SERVICE_CODES } from "../../shared/contract/codes.ts";
import { readPage } from "../support/pages.ts";
import { BOOKS, type ReferenceSection, sectionsOfBook } from "../support/reference.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = [
  ...["cli", "container", "docs", "edge", "examples", "generated-templates", "library"],
  ...["playground", "proof", "shared", "tests", "tools"],
];
const PASSED_OVER = new Set(["node_modules", "drizzle", "golden"]);

type Book = keyof typeof BOOKS;

const SECTION = String.raw`[1-9]\d?(?:\.\d+)*(?!\d)(?: rule \d+)?`;
const CITATION = new RegExp(
  String.raw`\b(${
    Object.keys(BOOKS).join("|")
  }) (${SECTION}(?:(?:,| and|, and| to) ${SECTION})*)(?:,? "([^"]+)")?`,
  "gi",
);

interface Citation {
  readonly book: Book;
  /** As `4.3`, or `4.1 rule 8`; an entry of a section's list may also be cited as `8.2.5`. */
  readonly section: string;
  /** A part of the section, named after it in quotes. */
  readonly part: string | null;
  readonly path: string;
}

/** Citations of pages that this repository does not have. */
const ELSEWHERE = /\b[Ee]xtensions \d|\b[Aa]nswers? [A-Z]?\d{1,2}(?!\d)|\b2:[A-Z]\d/;

/** Citations of a page as a whole, which the documents alone may make. */
const WHOLE_PAGE = /[,(] ?traps(?: ["\x60]|[,.)])/i;

const citations = await allCitations();

for (const book of Object.keys(BOOKS).filter(isBook)) {
  Deno.test(`each citation of ${book} leads to one heading, and to a rule that is there`, async () => {
    const sections = await sectionsOfBook(book);
    const cited = citations.filter((citation) => citation.book === book);
    assertEquals(cited.length > 0, true);
    const lost = cited.filter(({ section }) => !leadsToOne(section, sections));
    assertEquals(lost.map(({ path, section }) => `${path}: ${book} ${section}`), []);
  });
}

Deno.test("a part of a section that is cited by its name stands in it", async () => {
  const lost: string[] = [];
  for (const book of Object.keys(BOOKS).filter(isBook)) {
    const sections = await sectionsOfBook(book);
    for (const { section, part, path } of citations.filter((citation) => citation.book === book)) {
      const texts = sections.filter(({ number }) => number === section.replace(/ .*/, ""))
        .map(({ heading, prose }) => `${heading} ${prose}`.replaceAll(/\s+/g, " ").toLowerCase());
      const found = texts.some((text) => text.includes(part ?? ""));
      if (part !== null && !found) lost.push(`${path}: ${book} ${section} "${part}"`);
    }
  }
  assertEquals(lost, []);
});

Deno.test("nothing is cited that is not here, and traps are cited by number", async () => {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    for await (const path of filesBelow(folder)) {
      const page = await readPage(path);
      const [text] = ELSEWHERE.exec(page) ??
        (folder === "docs" ? null : WHOLE_PAGE.exec(page)) ?? [];
      if (text !== undefined && !path.endsWith("citations_test.ts")) found.push(`${path}: ${text}`);
    }
  }
  assertEquals(found, []);
});

Deno.test("the reference speaks of every code that an answer can carry", async () => {
  const text = (await sectionsOfBook("contract")).map(({ prose }) => prose).join("\n");
  const codes = Object.keys({ ...RUNTIME_CODES, ...SERVICE_CODES });
  assertEquals(codes.filter((code) => !text.includes(`\`${code}\``)), []);
});

Deno.test("every trap names the tests that hold us out of it", async () => {
  const traps = (await sectionsOfBook("traps")).filter(({ number }) => number !== null);
  const untested = traps.filter(({ prose }) => !/_Tests:_\s+\[.+?\]\(.+?_test\.ts\)/s.test(prose));
  assertEquals(untested.map(({ heading }) => heading), []);
});

Deno.test("no heading of the reference has the number of another", async () => {
  for (const book of Object.keys(BOOKS).filter(isBook)) {
    const numbers = (await sectionsOfBook(book)).flatMap(({ number }) => number ?? []);
    assertEquals(numbers.filter((number, at) => numbers.indexOf(number) !== at), []);
  }
});

function leadsToOne(cited: string, sections: readonly ReferenceSection[]): boolean {
  const [, number = "", rule] = /^([\d.]+)(?: rule (\d+))?$/.exec(cited) ?? [];
  const [, parent, entry] = /^(\d+\.\d+)\.(\d+)$/.exec(number) ?? [];
  const found = sections.filter((section) => section.number === (parent ?? number));
  const wanted = rule ?? entry;
  return found.length === 1 &&
    found.every(({ prose }) => !wanted || `\n${prose}`.includes(`\n${wanted}. `));
}

async function allCitations(): Promise<readonly Citation[]> {
  const found: Citation[] = [];
  for (const folder of FOLDERS) {
    for await (const path of filesBelow(folder)) {
      found.push(...citationsIn(path, await readPage(path)));
    }
  }
  return found;
}

function citationsIn(path: string, text: string): readonly Citation[] {
  // A comment goes on in the next line.
  const flowing = text.replaceAll(/\s*\n\s*(?:\*|\/\/|>)?\s*/g, " ");
  return [...flowing.matchAll(CITATION)].flatMap(([, name = "", list = "", part]) => {
    const book = name.toLowerCase();
    if (!isBook(book)) return [];
    const sections = [...list.matchAll(new RegExp(SECTION, "g"))].map(([section]) => section);
    return sections.map((section, at) => ({
      book,
      section,
      part: at === sections.length - 1 ? part?.toLowerCase() ?? null : null,
      path,
    }));
  });
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}/${name}`;
    if (isDirectory && !PASSED_OVER.has(name) && !name.startsWith(".")) yield* filesBelow(path);
    else if (/\.(?:ts|js|md)$/.test(name)) yield path;
  }
}

function isBook(name: string): name is Book {
  return Object.hasOwn(BOOKS, name);
}
