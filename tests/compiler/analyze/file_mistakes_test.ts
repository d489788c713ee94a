/** Mistakes with files are told where they stand (definitions 3). */
import { assertEquals } from "@std/assert";
import {
  analyzedProject,
  JOBS_FILE,
  jobsTable,
  type MistakeRow,
  toldOf,
  withColumns,
} from "../../support/analysis.ts";

const MISPLACED = ["required", "unique", "index", "searchable", "sortable"];

const ROWS: readonly MistakeRow[] = [
  ["a size that is none", "scan: q.file({ maxSize: 0 }),", [
    'VALUE_INVALID 4:25 "jobs.scan.maxSize" is 0, expected an integer from 1 to 5368709120',
  ]],
  ["a type that is none", 'scan: q.file({ types: ["image/*", "png"] }),', [
    'VALUE_INVALID 4:35 "jobs.scan.types" is "png", expected a media type such as "application/pdf" or "image/*"',
  ]],
  ["a type with parameters", 'scan: q.file({ types: ["text/plain; charset=utf-8"] }),', [
    'VALUE_INVALID 4:24 "jobs.scan.types" is "text/plain; charset=utf-8", expected a media type such as "application/pdf" or "image/*"',
  ]],
  ...MISPLACED.map((modifier): MistakeRow => [
    `a file is not ${modifier}`,
    `scan: q.file().${modifier}(),`,
    [
      `MODIFIER_MISPLACED 4:16 Modifier .${modifier}() does not apply to "jobs.scan" of type file | Remove it`,
    ],
  ]),
  ["a limit without several files", "scan: q.file({ maxItems: 3 }),", [
    'VALUE_INVALID 4:26 "jobs.scan.maxItems" is 3, expected no limit without multiple: true',
  ]],
  ["more files than a list may hold", "scans: q.file({ multiple: true, maxItems: 101 }),", [
    'VALUE_INVALID 4:43 "jobs.scans.maxItems" is 101, expected an integer from 1 to 100',
  ]],
  ["a list of files that may be null", "scans: q.file({ multiple: true }).optional(),", [
    'MODIFIER_MISPLACED 4:35 Modifier .optional() does not apply to "jobs.scans" of type file | Remove it',
  ]],
  ["a filter by a file", 'scan: q.file().filterable("eq"),', [
    'ARGUMENTS 4:16 Arguments of .filterable are wrong, expected .filterable("null"), as files are filtered by nothing else',
  ]],
  ["a reserved word", "history: q.file(),", [
    'FILE_SEGMENT_TAKEN 4:1 File column "history" would share its route with the reserved word "history" | Rename the column: its name is the last part of its files\' addresses',
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Files: ${title}`, () => {
    assertEquals(toldOf(withColumns(source).errors), expected);
  });
}

Deno.test("Files: a default stands nowhere", () => {
  const [first = ""] = toldOf(withColumns("scan: q.file().default(null),").errors);
  assertEquals(first.split(" ")[0], "MODIFIER_MISPLACED");
});

function withRest(rest: string) {
  return analyzedProject({
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: { organizationId: q.scope("organization"), scan: q.file() },
  guards: false,
  ${rest}
});
`,
    "quickback/features/jobs/actions/scan.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Scan", input: z.object({}), access: { roles: ["admin"] }, execute: async () => ({}),
});
`,
  });
}

Deno.test("Files: a view, an action, an index and a sort by a file", () => {
  const read = (views: string) => `read: { access: { roles: ["admin"] }, views: { ${views} } },`;
  const codes = (rest: string) =>
    withRest(rest).errors.map(({ code, place }) => `${code} ${place.file.split("/").at(-1)}`)
      .sort();
  const taken = "ACTION_PATH_RESERVED scan.ts";
  assertEquals(codes(read("")), [taken]);
  assertEquals(codes(read('scan: { fields: ["id"] }')), [taken, "FILE_SEGMENT_TAKEN jobs.ts"]);
  assertEquals(codes(read('short: { fields: ["scan"], defaultSort: "scan" }')), [
    taken,
    "COLUMN_NOT_COMPARABLE jobs.ts",
  ]);
  assertEquals(
    codes('indexes: [{ columns: ["scan"] }],'),
    [taken, "VALUE_INVALID jobs.ts"],
  );
});

Deno.test("Files: what the model says of one", () => {
  const table = jobsTable(
    withColumns(
      'scan: q.file(), photo: q.file({ maxSize: 5, types: ["image/*"] }), pages: q.file({ multiple: true }),',
    ),
  );
  const names = ["scan", "photo", "pages"];
  assertEquals(
    table.columns.filter(({ name }) => names.includes(name))
      .map(({ type, nullable, filters }) => ({ type, nullable, filters })),
    [
      {
        type: { kind: "file", maxSize: 10_485_760, types: null },
        nullable: true,
        filters: ["null"],
      },
      { type: { kind: "file", maxSize: 5, types: ["image/*"] }, nullable: true, filters: ["null"] },
      {
        type: { kind: "file", maxSize: 10_485_760, types: null, maxItems: 20 },
        nullable: false,
        filters: ["null"],
      },
    ],
  );
});
