/** The configuration says the names that the old tables have, where it can be said for its author (definitions 2, `compiler.migrations`). */
import { assertEquals } from "@std/assert";
import { type Spellings, withSpellings } from "../../../cli/adopt/older_names.ts";

const RENAMES: Spellings = {
  tables: { timeEntries: "time_entries" },
  columns: { "tasks.dueDate": "dueDate" },
  isCamelCase: false,
};
const CAMEL: Spellings = { ...RENAMES, isCamelCase: true };

const MEMBER = `compiler: {
  migrations: {
    renames: {
      tables: {
        timeEntries: "time_entries",
      },
      columns: {
        "tasks.dueDate": "dueDate",
      },
    },
  },
}`;
const indented = MEMBER.replaceAll("\n", "\n  ");

const CASES: readonly (readonly [
  what: string,
  names: Spellings,
  from: string,
  to: string | null,
])[] = [
  [
    "behind the last member",
    RENAMES,
    `export default defineConfig({\n  name: "a",\n});\n`,
    `export default defineConfig({\n  name: "a",\n  ${indented},\n});\n`,
  ],
  [
    "behind a member without a comma, and what its author says of it",
    RENAMES,
    `export default defineConfig({\n  name: "a" // short\n});\n`,
    `export default defineConfig({\n  name: "a", // short\n  ${indented},\n});\n`,
  ],
  [
    "in an object on one line",
    RENAMES,
    `export default { name: "a" };\n`,
    `export default { name: "a", ${MEMBER} };\n`,
  ],
  ["beside a word of the author", RENAMES, `export default { compiler: {} };\n`, null],
  ["in what is no literal", RENAMES, `export default config;\n`, null],
  [
    "by convention",
    CAMEL,
    `export default { providers: { database: defineDatabase("libsql", {}) } };\n`,
    `export default { providers: { database: defineDatabase("libsql", { namingConvention: "camelCase" }) } };\n`,
  ],
  ["by convention, without options", CAMEL, `export default { name: "a" };\n`, null],
  [
    "by convention, beside another",
    CAMEL,
    `export default { d: defineDatabase("libsql", { namingConvention: "snake_case" }) };\n`,
    null,
  ],
];

for (const [what, names, from, to] of CASES) {
  Deno.test(`names of old tables are said ${what}`, () =>
    assertEquals(withSpellings("quickback/quickback.config.ts", from, names), to));
}
