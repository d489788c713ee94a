/** The table of the guide to vectors as a project, with as many numbers in a vector as tests can write down. */
import { codeBlocks, readPage } from "./pages.ts";

const BOOKS = "quickback/features/books/books.ts";
const block = codeBlocks(await readPage("docs/guides/vectors.md"))
  .find(({ after }) => after === `\`${BOOKS}\`:`);
if (block === undefined) throw new Error("The guide to vectors has no table");

export const BOOKS_PROJECT: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": 'export default { name: "catalogue" };\n',
  [BOOKS]: block.text.replace("dimensions: 1536", "dimensions: 4"),
};
