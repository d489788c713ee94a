/** One mistake is told once: what only follows from it stays silent (definitions 1 and 4). */
import { assertEquals } from "@std/assert";
import {
  analyzedProject,
  CONFIG_FILE,
  type Files,
  JOBS_FILE,
  type MistakeRow,
  toldOf,
  withResource,
} from "../../support/analysis.ts";

const RESOURCE_ROWS: readonly MistakeRow[] = [
  [
    "an unreadable read rule says nothing about the roles of its views",
    'read: { access: { roles: ["*"] }, views: { short: { fields: ["title"], access: { roles: ["agent"] } } } },',
    ['ROLE_WILDCARD 4:27 Role "*" in "jobs.read.access.roles" does not exist | Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in'],
  ],
  [
    "a misspelt field of a view says nothing about what the view sorts by",
    'read: { access: { roles: ["agent"] }, views: { short: { fields: ["id", "titel"], query: { sortable: ["title"], searchable: ["title"] } } } },',
    ['COLUMN_UNKNOWN 4:72 Unknown column "titel" of table "jobs" | Did you mean "title"?'],
  ],
  [
    "a view searches text only",
    'read: { access: { roles: ["agent"] }, views: { short: { fields: ["title", "amount"], query: { searchable: ["title", "amount"] } } } },',
    ['SEARCH_TYPE 4:117 Column "amount" of type int cannot be searched | List text, url and enum columns; others are filtered'],
  ],
  [
    "a hard delete leaves no column to ask for",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "deletedAt", isNull: true }], delete: { access: { roles: ["agent"] }, mode: "hard" },',
    ['COLUMN_UNKNOWN 4:77 Unknown column "deletedAt" of table "jobs" | Only tables that soft-delete have it: remove it here, or the mode "hard" of delete'],
  ],
];

for (const [title, source, expected] of RESOURCE_ROWS) {
  Deno.test(`One mistake: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}

const COLUMNS = 'columns: { organizationId: q.scope("organization"), state: q.enum(["a", "b"]) }';
const READ =
  'read: { access: { roles: ["agent+"] }, views: { v: { fields: ["id"], access: { roles: ["agent"] } } } }';

const PROJECT_ROWS: readonly (readonly [string, Files, readonly string[]])[] = [
  [
    "a misspelt hierarchy says nothing about the roles that need it",
    {
      [CONFIG_FILE]:
        'export default { name: "sample",\n auth: { roleHierachy: ["agent", "admin"] } };',
      [JOBS_FILE]:
        `import { feature, q } from "quickback";\nexport default feature("jobs", { ${COLUMNS}, ${READ} });`,
    },
    [`${CONFIG_FILE} UNKNOWN_KEY 2:10 Did you mean "roleHierarchy"?`],
  ],
  [
    "a misspelt module is told where it is imported",
    {
      [JOBS_FILE]:
        `import { feature, q } from "quikback";\nexport default feature("jobs", { ${COLUMNS}, ${READ} });`,
    },
    [`${JOBS_FILE} IMPORT_MODULE_UNKNOWN 1:10 Did you mean "quickback"?`],
  ],
  [
    "of two files with one table name the wrong one is the one not named after it",
    {
      [JOBS_FILE]:
        `import { feature, q } from "quickback";\nexport default feature("orders", { ${COLUMNS} });`,
      "quickback/features/orders/orders.ts":
        `import { feature, q } from "quickback";\nexport default feature("orders", { ${COLUMNS} });`,
      "quickback/features/a/a.ts":
        `import { feature, q } from "quickback";\nexport default feature("orders", { ${COLUMNS} });`,
    },
    [
      "quickback/features/a/a.ts TABLE_TWICE 2:24 Rename one of them; names of the same words are one in SQL and in URLs",
      `${JOBS_FILE} TABLE_TWICE 2:24 Rename one of them; names of the same words are one in SQL and in URLs`,
    ],
  ],
  [
    "a resource that is only called is not exported",
    {
      [JOBS_FILE]:
        `import { defineTable, q } from "quickback";\nexport const jobs = q.table("jobs", { organizationId: q.scope("organization") });\ndefineTable(jobs, {});`,
    },
    [`${JOBS_FILE} RESOURCE_NOT_EXPORTED 3:1 Write: export default defineTable(…)`],
  ],
  [
    "a misspelt state of the table says nothing about the moves of its actions",
    {
      [JOBS_FILE]:
        `import { feature, q } from "quickback";\nexport default feature("jobs", { ${COLUMNS},\n transitions: { state: { a: ["bb"] } } });`,
      "quickback/features/jobs/actions/move.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Moves", input: z.object({}), access: { roles: ["agent"] },
 transition: { field: "state", fromTo: { a: ["b"] }, to: "b" } });`,
    },
    [`${JOBS_FILE} TRANSITION_STATE 3:30 Did you mean "b"?`],
  ],
];

for (const [title, files, expected] of PROJECT_ROWS) {
  Deno.test(`One mistake: ${title}`, () => {
    const told = analyzedProject(files).errors.map(({ code, place, hint }) =>
      `${place.file} ${code} ${place.line}:${place.column} ${hint ?? ""}`
    );
    assertEquals(told, expected);
  });
}
