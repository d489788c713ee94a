/** Where a rule stands in the definitions: every spelling, and what a rule that nobody wrote is taken from (contract 4.7). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import {
  conditionPlace,
  placeText,
  predicatePlace,
  routeRulePlace,
  settingPlace,
} from "../../../shared/oracle/places.ts";
import { ruledRoutesOf } from "../../../shared/oracle/routes.ts";

const TASKS = `import { feature, q } from "quickback";

const STAFF = { roles: ["agent"] };

export default feature("tasks", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    title: q.text().required(),
    state: q.enum(["open", "done"]).default("open"),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "ownerId", equals: "ctx.userId", exceptRoles: ["admin"] },
  ],
  guards: { createable: ["title"], updatable: ["title"] },
  read: {
    access: {
      or: [
        STAFF,
        { roles: ["member"], record: { createdBy: { equals: "$ctx.userId" } } },
      ],
    },
    views: {
      open: { fields: ["title"] },
      all: {
        fields: ["title", "state"],
        access: { roles: ["agent"] },
      },
    },
  },
  create: { access: STAFF },
  crud: {
    update: {
      access: STAFF,
      batch: {
        access: { roles: ["agent"] },
      },
    },
    delete: { access: STAFF },
  },
});
`;

const NOTES = `import { defineTable, q } from "quickback";

export const notes = q.table("notes", {
  id: q.id(),
  organizationId: q.scope("organization"),
  body: q.text().required(),
});

export default defineTable(notes, {
  firewall: { organization: {}, softDelete: {} },
  guards: { createable: ["body"] },
  read: { access: { roles: ["agent"] } },
  create: {
    access: { roles: ["agent"] },
  },
});
`;

const CLOSE = `import { defineActions } from "quickback";
import { z } from "zod";
import tasks from "./tasks.ts";

export default defineActions(tasks, {
  close: {
    description: "Closes it",
    input: z.object({}),
    access: { roles: ["agent"], record: { state: { equals: "open" } } },
    execute: () => ({ closed: true }),
  },
});
`;

const CONFIG = `import { defineConfig } from "quickback";

export default defineConfig({
  name: "tasks",
  openapi: { generate: true, publish: "admin" },
});
`;

const FILES = {
  "quickback/quickback.config.ts": CONFIG,
  "quickback/features/tasks/tasks.ts": TASKS,
  "quickback/features/tasks/notes.ts": NOTES,
  "quickback/features/tasks/actions.ts": CLOSE,
};

const validation = validate(FILES);
assert(validation.ok, JSON.stringify(validation));
const { model, places } = validation;

/** The line that a rule is said to stand on, as its author wrote it. */
function lineAt(place: { readonly file: string; readonly line: number }): string {
  const text = new Map(Object.entries(FILES)).get(place.file) ?? "";
  return `${text.split("\n")[place.line - 1]?.trim()}`;
}

function routeNamed(id: string) {
  const route = ruledRoutesOf(model).find(({ operationId }) => operationId === id);
  assert(route, `No route ${id}`);
  return route;
}

const RULES: readonly (readonly [sentence: string, operation: string, line: string])[] = [
  ["a resource's rule", "listTasks", "access: {"],
  ["a view's own rule", "viewTasks_All", 'access: { roles: ["agent"] },'],
  ["a view without a rule has its resource's", "viewTasks_Open", "access: {"],
  ["the rule of a write", "createTasks", "create: { access: STAFF },"],
  ["a batch without a rule has its write's", "batchCreateTasks", "create: { access: STAFF },"],
  ["a rule below crud", "deleteTasks", "delete: { access: STAFF },"],
  ["a batch's own rule", "batchUpdateTasks", 'access: { roles: ["agent"] },'],
  ["a rule in defineTable", "createNotes", 'access: { roles: ["agent"] },'],
  [
    "a rule in defineActions",
    "runTasks_Close",
    'access: { roles: ["agent"], record: { state: { equals: "open" } } },',
  ],
];

for (const [sentence, operation, line] of RULES) {
  Deno.test(`routeRulePlace() finds ${sentence}`, () => {
    assertEquals(lineAt(routeRulePlace(routeNamed(operation), places)), line);
  });
}

Deno.test("conditionPlace() finds the one condition on a column inside a rule", () => {
  assertEquals(
    lineAt(conditionPlace(routeNamed("listTasks"), "createdBy", places)),
    '{ roles: ["member"], record: { createdBy: { equals: "$ctx.userId" } } },',
  );
});

const PREDICATES: readonly (readonly [table: string, kind: string, line: string])[] = [
  ["tasks", "organization", '{ field: "organizationId", equals: "ctx.activeOrgId" },'],
  ["tasks", "owner", '{ field: "ownerId", equals: "ctx.userId", exceptRoles: ["admin"] },'],
  ["tasks", "notDeleted", 'export default feature("tasks", {'],
  ["notes", "organization", "firewall: { organization: {}, softDelete: {} },"],
  ["notes", "notDeleted", "firewall: { organization: {}, softDelete: {} },"],
];

for (const [name, kind, line] of PREDICATES) {
  Deno.test(`predicatePlace() finds what isolates ${name} by ${kind}`, () => {
    const table = model.tables.find((one) => one.name === name);
    const predicate = table?.firewall.find((one) => one.kind === kind);
    assert(table && predicate);
    assertEquals(lineAt(predicatePlace(table, predicate, places)), line);
  });
}

Deno.test("settingPlace() finds a setting, and nothing where it was left at its default", () => {
  const place = settingPlace("openapi.publish", places);
  assertEquals(place && placeText(place), "quickback/quickback.config.ts:5");
  assertEquals(settingPlace("openapi.docs", places), null);
});
