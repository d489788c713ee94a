/** What `diff` finds between two versions of a project that differ in one thing: rights of callers, and the API (contract 9.3). */
import { assert, assertEquals } from "@std/assert";
import { openApiDocument, type ProjectModel, validate } from "../../../shared/compiler/mod.ts";
import type { JsonValue } from "../../../shared/model/table.ts";
import { accessChanges } from "../../../proof/diff/access_changes.ts";
import { apiChanges } from "../../../proof/diff/api_changes.ts";
import type { Change } from "../../../proof/diff/change.ts";
import { fieldChanges } from "../../../proof/diff/field_changes.ts";

const CONFIG = `export default {
  name: "shop",
  providers: { database: { name: "libsql", generateId: "uuid" } },
};\n`;

const ORDERS = `import { feature, q } from "quickback";

export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 40 }).required(),
    state: q.enum(["open", "paid"]).required().default("open"),
    email: q.text(),
    amount: q.int(),
  },
  guards: { createable: ["title", "email", "amount"], updatable: ["title"] },
  masking: { email: { type: "email", show: { roles: ["admin"] } } },
  read: {
    access: { roles: ["admin", "clerk"] },
    views: { short: { fields: ["id", "title"], access: { roles: ["clerk"] } } },
  },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] } },
});\n`;

function modelOf(orders: string): ProjectModel {
  const validation = validate({
    "quickback/quickback.config.ts": CONFIG,
    "quickback/features/orders/orders.ts": orders,
  });
  assert(validation.ok, JSON.stringify(validation, null, 2));
  return validation.model;
}

/** The only places that the text stands in become another. */
function edited(edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to]) => {
    assert(text.includes(from), `There is no ${from}`);
    return text.replace(from, to);
  }, ORDERS);
}

function changesBetween(before: string, after: string): readonly Change[] {
  const [old, now] = [modelOf(before), modelOf(after)];
  return [
    ...accessChanges(old, now),
    ...fieldChanges(old, now),
    ...apiChanges(openApiDocument(old), openApiDocument(now)),
  ];
}

function line({ kind, subject, principals, text }: Change): string {
  return [kind, subject, ...(principals.length > 0 ? [principals.join("+")] : []), text].join(
    " | ",
  );
}

type Edit = readonly [from: string, to: string];

interface Row {
  readonly what: string;
  readonly edits: readonly Edit[];
  /** Only lines that match are compared; absent: all. */
  readonly about?: RegExp;
  readonly changes: readonly string[];
}

const ROWS: readonly Row[] = [
  { what: "nothing", edits: [], changes: [] },
  { what: "a comment", edits: [["columns: {", "// Ours\n  columns: {"]], changes: [] },
  {
    what: "a role that may read",
    edits: [['roles: ["admin", "clerk"]', 'roles: ["admin", "clerk", "guest"]']],
    about: /GET|title|email/,
    changes: [
      "gain | GET /api/v1/orders | role:guest | refused (ACCESS_ROLE_REQUIRED) → let in",
      "gain | GET /api/v1/orders/:id | role:guest | refused (ACCESS_ROLE_REQUIRED) → let in",
      "gain | orders.title | role:guest | may now see it, see it unmasked, filter and sort by it",
      "gain | orders.email | role:guest | may now see it",
    ],
  },
  {
    what: "a role that may no longer read",
    edits: [['roles: ["admin", "clerk"]', 'roles: ["admin"]'], [
      'roles: ["clerk"]',
      'roles: ["admin"]',
    ]],
    about: /GET|title/,
    changes: [
      "loss | GET /api/v1/orders | role:clerk | let in → refused (ACCESS_ROLE_REQUIRED)",
      "loss | GET /api/v1/orders/:id | role:clerk | let in → refused (ACCESS_ROLE_REQUIRED)",
      "gain | GET /api/v1/orders/views/short | role:admin | refused (ACCESS_ROLE_REQUIRED) → let in",
      "loss | GET /api/v1/orders/views/short | role:clerk | let in → refused (ACCESS_ROLE_REQUIRED)",
      "loss | orders.title | role:clerk | may no longer see it, see it unmasked, filter and sort by it",
    ],
  },
  {
    what: "a route for everybody",
    edits: [['access: { roles: ["admin", "clerk"] }', 'access: { roles: ["PUBLIC"] }']],
    about: /GET .*orders \|/,
    changes: [
      "gain | GET /api/v1/orders | anonymous | refused (AUTH_MISSING) → let in",
      "gain | GET /api/v1/orders | member+appmanager+sysadmin+apiKey+scope | refused (ACCESS_ROLE_REQUIRED) → let in",
    ],
  },
  {
    what: "a read that depends on the record",
    edits: [[
      'access: { roles: ["admin", "clerk"] }',
      'access: { or: [{ roles: ["admin"] }, { roles: ["clerk"], record: { state: { equals: "open" } } }] }',
    ]],
    changes: [
      "loss | GET /api/v1/orders | role:clerk | let in → let in, depending on the record",
      "loss | GET /api/v1/orders/:id | role:clerk | let in → let in, depending on the record",
      "loss | GET /api/v1/orders/views/short | role:clerk | let in → let in, depending on the record",
    ],
  },
  {
    what: "a text that names accounts",
    edits: [["amount: q.int(),", "amount: q.account(),"]],
    about: /members/,
    changes: ["breaking | orders.amount | takes ids of members alone"],
  },
  {
    what: "living rows that keep a record",
    edits: [[
      'delete: { access: { roles: ["admin"] } }',
      'delete: { access: { roles: ["admin"] }, children: "refuse" }',
    ]],
    changes: [
      "breaking | deletions of orders | refused while living rows refer to the record, and no longer deletes these along with it",
    ],
  },
  {
    what: "a new view",
    edits: [[
      "short: {",
      'plain: { fields: ["id", "email"], access: { roles: ["clerk"] } }, short: {',
    ]],
    changes: [
      "gain | GET /api/v1/orders/views/plain | role:clerk+teamless+apiKeyReader | no such route → let in",
      "addition | GET /api/v1/orders/views/plain | a new route",
    ],
  },
  {
    what: "a role that has a view alone",
    edits: [['access: { roles: ["clerk"] } } }', 'access: { roles: ["clerk", "guest"] } } }']],
    about: /role:guest/,
    changes: [
      "gain | GET /api/v1/orders/views/short | role:guest | refused (ACCESS_ROLE_REQUIRED) → let in",
      "gain | orders.id | role:guest | may now see it, see it unmasked, filter and sort by it",
      "gain | orders.title | role:guest | may now see it, see it unmasked, filter and sort by it",
    ],
  },
  {
    what: "a field in a view",
    edits: [['fields: ["id", "title"]', 'fields: ["id", "title", "amount"]']],
    changes: ["addition | Orders_ShortRecord.amount | is new"],
  },
  {
    what: "a verb that is gone",
    edits: [['  delete: { access: { roles: ["admin"] } },\n', ""]],
    changes: [
      "loss | DELETE /api/v1/orders/:id | role:admin+teamless | let in → no such route",
      "loss | DELETE /api/v1/orders/batch | role:admin+teamless | let in → no such route",
      "breaking | DELETE /api/v1/orders/{id} | the route is gone",
      "breaking | DELETE /api/v1/orders/batch | the route is gone",
    ],
  },
  {
    what: "a mask that lifts for more",
    edits: [['show: { roles: ["admin"] }', 'show: { roles: ["admin", "clerk"] }']],
    changes: ["gain | orders.email | role:clerk | may now see it unmasked, filter and sort by it"],
  },
  {
    what: "a mask that its owner sees through",
    edits: [['show: { roles: ["admin"] }', 'show: { roles: ["admin"], or: "owner" }']],
    changes: ["gain | orders.email | role:clerk | may now see it unmasked in own records"],
  },
  {
    what: "another type of mask",
    edits: [['type: "email"', 'type: "redact"']],
    changes: ["gain | orders.email | role:clerk | masked as email → masked as redact"],
  },
  {
    what: "a new mask",
    edits: [["masking: {", 'masking: { amount: { type: "redact", show: { roles: ["admin"] } },']],
    changes: [
      "loss | orders.amount | role:clerk | may no longer see it unmasked, filter and sort by it",
      "breaking | OrdersRecord.amount | integer or null → integer or string or null",
    ],
  },
  {
    what: "a field that may be set on update",
    edits: [['updatable: ["title"]', 'updatable: ["title", "amount"]']],
    changes: [
      "gain | orders.amount | role:admin+teamless | may now set it on update",
      "addition | OrdersUpdate.amount | is new",
    ],
  },
  {
    what: "a field that may no longer be set",
    edits: [['createable: ["title", "email", "amount"]', 'createable: ["title", "email"]']],
    changes: [
      "loss | orders.amount | role:admin+teamless | may no longer set it on create",
      "breaking | OrdersCreate.amount | is no longer taken",
    ],
  },
  {
    what: "a narrower firewall",
    edits: [[
      "  guards:",
      '  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "state", equals: "open" }],\n  guards:',
    ]],
    changes: [
      'loss | rows of orders | anonymous+member+role:admin+role:clerk+outsider+teamless+appmanager+sysadmin+apiKey+apiKeyReader+scope | now only where: state equals "open"',
    ],
  },
  {
    what: "a firewall that spares a role",
    edits: [[
      "  guards:",
      '  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["clerk"] }],\n  guards:',
    ]],
    changes: [
      "gain | rows of orders | role:clerk+teamless+apiKeyReader | no longer held back by: organizationId equals ctx.activeOrgId",
    ],
  },
  {
    what: "a new optional column",
    edits: [["email: q.text(),", "email: q.text(),\n    note: q.text(),"]],
    changes: [
      "gain | orders.note | role:admin+role:clerk+teamless+apiKeyReader | may now see it, see it unmasked, filter and sort by it",
      "addition | OrdersRecord.note | is new",
    ],
  },
  {
    what: "a shorter text",
    edits: [["maxLength: 40", "maxLength: 20"]],
    changes: [
      "breaking | OrdersCreate.title | maxLength 40 → 20",
      "breaking | OrdersUpdate.title | maxLength 40 → 20",
    ],
  },
  {
    what: "a longer text",
    edits: [["maxLength: 40", "maxLength: 80"]],
    changes: [
      "breaking | OrdersRecord.title | maxLength 40 → 80",
      "breaking | Orders_ShortRecord.title | maxLength 40 → 80",
    ],
  },
  {
    what: "one more value of an enum",
    edits: [['["open", "paid"]', '["open", "paid", "lost"]']],
    changes: ["breaking | OrdersRecord.state | may now be lost"],
  },
  {
    what: "another type",
    edits: [["amount: q.int()", "amount: q.text()"]],
    changes: [
      "breaking | OrdersRecord.amount | integer or null → string or null",
      "breaking | OrdersCreate.amount | integer or null → string or null",
      "breaking | OrdersCreate.amount | pattern none → ^[^\\x00]*$",
    ],
  },
  {
    what: "a column that must be given",
    edits: [["amount: q.int()", "amount: q.int().required()"]],
    changes: [
      "breaking | OrdersCreate.amount | is needed now",
      "breaking | OrdersCreate.amount | integer or null → integer",
    ],
  },
  {
    what: "a column under another name",
    edits: [["amount: q.int()", "total: q.int()"], ['"email", "amount"]', '"email", "total"]']],
    about: /role:clerk|amount\.in|^(?:breaking|addition) \| Orders/,
    changes: [
      "loss | orders.amount | role:clerk+apiKeyReader | may no longer see it, see it unmasked, filter and sort by it",
      "gain | orders.total | role:clerk+apiKeyReader | may now see it, see it unmasked, filter and sort by it",
      "breaking | GET /api/v1/orders | the parameter amount.in is gone",
      "breaking | OrdersRecord.amount | is no longer answered",
      "addition | OrdersRecord.total | is new",
      "breaking | OrdersCreate.amount | is no longer taken",
      "addition | OrdersCreate.total | is new",
    ],
  },
];

for (const { what, edits, about, changes } of ROWS) {
  Deno.test(`diff of ${what}`, () => {
    const found = changesBetween(ORDERS, edited(edits)).map(line);
    assertEquals(found.filter((one) => about?.test(one) ?? true), changes);
  });
}

const SCHEMAS: readonly (readonly [
  what: string,
  old: Record<string, JsonValue>,
  now: Record<string, JsonValue>,
  sent: readonly string[],
  answered: readonly string[],
])[] = [
  ["the same", { type: "string" }, { type: "string" }, [], []],
  ["a wider type", { type: "integer" }, { type: "number" }, [], ["integer → number"]],
  ["a narrower type", { type: ["string", "null"] }, { type: "string" }, [
    "string or null → string",
  ], []],
  ["a least length", {}, { minLength: 3 }, ["minLength none → 3"], []],
  ["a lower maximum", { maximum: 9 }, { maximum: 5 }, ["maximum 9 → 5"], []],
  ["no maximum any more", { maximum: 9 }, {}, [], ["maximum 9 → none"]],
  ["another pattern", { pattern: "a" }, { pattern: "b" }, ["pattern a → b"], []],
  ["an enum", {}, { enum: ["a"] }, ["only a is taken now"], []],
  ["no enum any more", { enum: ["a"] }, {}, [], ["may now be any text"]],
  ["closed to others", {}, { additionalProperties: false }, [
    "takes no unknown members any more",
  ], []],
  ["a list of something else", { items: { type: "string" } }, { items: { type: "integer" } }, [
    "string → integer",
  ], ["string → integer"]],
  [
    "a member that is not sure any more",
    { properties: { a: {} }, required: ["a"] },
    { properties: { a: {} } },
    [],
    ["may be left out now"],
  ],
  [
    "a member that is needed, deep inside",
    { properties: { a: { items: { properties: {} } } } },
    { properties: { a: { items: { properties: { b: {} }, required: ["b"] } } } },
    ["is new and needed"],
    [],
  ],
];

for (const [what, old, now, sent, answered] of SCHEMAS) {
  Deno.test(`an action whose body and answer become ${what}`, () => {
    const document = (schema: Record<string, JsonValue>) => {
      const content = { "application/json": { schema } };
      return {
        paths: { "/a": { post: { requestBody: { content }, responses: { 200: { content } } } } },
      };
    };
    const found = apiChanges(document(old), document(now))
      .filter(({ kind }) => kind === "breaking");
    const of = (side: string) =>
      found.filter(({ subject }) => subject.startsWith(`POST /a ${side}`)).map(({ text }) => text);
    assertEquals([of("body"), of("200 answer")], [sent, answered]);
  });
}
