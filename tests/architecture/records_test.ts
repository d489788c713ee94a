/** One record per kind (docs/decisions/records.md): what a kind is, is looked up and not asked for by its name. */
import { assertEquals } from "@std/assert";
import { columnTypes } from "../../shared/column_types/mod.ts";
import { sourcesBelow } from "./source_tree.ts";

const FOLDERS = [
  "shared",
  "cli",
  "library/platform",
  "container",
  "edge",
  "playground",
  "proof",
  "library/testing",
];

/** The records themselves, and drafts of foreign schemas, whose types are their own. */
const EXEMPT = /^(?:shared\/column_types|cli\/adopt)\//;

Deno.test("a column's type is asked for by name in its records alone", () => {
  const names = columnTypes().map(([name]) => name).join("|");
  const question = new RegExp(
    `type\\??\\.kind\\s*(?:===|!==)\\s*"(?:${names})"|switch \\(column\\.type\\??\\.kind\\)`,
  );
  const offences = sourcesBelow(...FOLDERS)
    .filter(({ path, text }) => !EXEMPT.test(path) && question.test(text))
    .map(({ path }) => path);
  assertEquals(offences, []);
});
