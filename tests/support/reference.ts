/** The reference as generated pages link to it: where a citation leads, and which sections speak of a code. */
import { fragmentOf, type PageSection, readPage, sectionsOf } from "./pages.ts";

/** Pages of each book that is cited, from the root of this repository. */
export const BOOKS = {
  contract: ["docs/reference/http.md", "docs/reference/service.md"],
  definitions: ["docs/reference/definitions.md"],
  traps: ["docs/reference/traps.md"],
} as const;

export interface ReferenceSection extends PageSection {
  /** As it is cited, without the book; null: it is not cited. */
  readonly number: string | null;
  /** From `docs`. */
  readonly link: string;
}

/** The sections of a book, in the order of its pages. */
export async function sectionsOfBook(
  book: keyof typeof BOOKS,
): Promise<readonly ReferenceSection[]> {
  const pages = await Promise.all(
    BOOKS[book].map(async (path) => ({ path, page: await readPage(path) })),
  );
  return pages.flatMap(({ path, page }) =>
    sectionsOf(page).map((section) => {
      const [, number = null] = /^(\d+(?:\.\d+)*)\.? /.exec(section.heading) ?? [];
      const link = `${path.replace("docs/", "")}#${fragmentOf(section.heading)}`;
      return { ...section, number, link };
    })
  );
}

/** Definitions of the links by which a page reaches its citations, such as `contract 4.3`. */
export async function citationLinks(): Promise<ReadonlyMap<string, string>> {
  const books = Object.keys(BOOKS) as (keyof typeof BOOKS)[];
  const all = await Promise.all(
    books.map(async (book) =>
      (await sectionsOfBook(book)).filter(({ number }) => number !== null)
        .map(({ number, link }) => [`${book} ${number}`, link] as const)
    ),
  );
  return new Map(all.flat());
}
