/** Rules that follow relations: what they become, and what is wrong with them (definitions 4.1, 4.2, docs/decisions/relations.md). */
import { assert, assertEquals } from "@std/assert";
import { type Analyzed, analyzed, type Files, toldOf } from "../../support/analysis.ts";
import { predicateText } from "../../../shared/surface/mod.ts";

const ORDERS = "quickback/features/field/orders.ts";
const ITEMS = "quickback/features/field/items.ts";
const CREW = "quickback/features/field/crew.ts";
const DEPOTS = "quickback/features/field/depots.ts";

const SCOPE = 'organizationId: q.scope("organization")';

interface Rules {
  readonly orders?: string;
  readonly items?: string;
  readonly config?: string;
}

/** Items of orders, orders of depots, the crew of an order; a rule begins at line 5. */
function field({ orders = "", items = "", config = "" }: Rules): Analyzed {
  const files: Files = {
    "quickback/quickback.config.ts": `export default { name: "field", ${config} };\n`,
    [DEPOTS]: `import { feature, q } from "quickback";
export default feature("depots", { columns: { ${SCOPE}, chiefId: q.text() } });
`,
    [ORDERS]: `import { feature, q } from "quickback";
import depots from "./depots.ts";
export default feature("orders", {
columns: { ${SCOPE}, assigneeId: q.text(), status: q.text(), depotId: q.text().references(() => depots.id) },
${orders}
});
`,
    [ITEMS]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("items", {
columns: { ${SCOPE}, note: q.text(), orderId: q.text().references(() => orders.id) },
${items}
});
`,
    [CREW]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("crew", {
  columns: { ${SCOPE}, userId: q.text(), orderId: q.text().references(() => orders.id) },
});
`,
  };
  return analyzed(files);
}

function firewallOf(name: string, rules: Rules): readonly string[] {
  const { model, errors } = field(rules);
  assertEquals(toldOf(errors), []);
  const table = model?.tables.find((one) => one.name === name);
  assert(table);
  return table.firewall.map((one) => one.kind === "rule" ? predicateText(one.predicate) : one.kind);
}

Deno.test("through where is a condition on the row that the key refers to", () => {
  const items = 'firewall: [{ through: "order", where: { assigneeId: "$ctx.userId" } }],';
  assertEquals(firewallOf("items", { items }), [
    "its order where assigneeId equals ctx.userId",
    "organization",
    "notDeleted",
  ]);
});

Deno.test("through alone unfolds the other firewall, whom it binds and its own relations", () => {
  const orders = `firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "assigneeId", equals: "ctx.userId", roles: ["technician"] },
    { through: "depot", where: { chiefId: "$ctx.userId" } },
  ],`;
  const items = 'firewall: [{ through: "order" }],';
  assertEquals(
    firewallOf("items", { orders, items })[0],
    [
      "its order where ((not (the caller is technician)) or assigneeId equals ctx.userId)",
      "(its depot where chiefId equals ctx.userId)",
    ].join(" and ").replace("((not (the caller is technician))", "(not (the caller is technician)"),
  );
});

Deno.test("anyOf holds predicates, lists that bind together, and roles alone", () => {
  const items = `firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { anyOf: [
      { roles: ["dispatcher"] },
      [{ field: "note", equals: "open" }, { through: "order" }],
      { through: "order", where: { crew: { some: { userId: "$ctx.userId" } } }, roles: ["technician"] },
    ] },
  ],`;
  assertEquals(
    firewallOf("items", { items })[1],
    "the caller is dispatcher or " +
      '(note equals "open" and (its order is there)) or ' +
      "(the caller is technician and (its order where some crew where userId equals ctx.userId))",
  );
});

Deno.test("a relation carries the columns that it asks for, its tenant and its deletion", () => {
  const items = 'firewall: [{ through: "order", where: { depot: { chiefId: "x" } } }],';
  const { model } = field({ items });
  const table = model?.tables.find(({ name }) => name === "items");
  const [member] = table?.firewall ?? [];
  assert(member?.kind === "rule" && member.predicate.kind === "related");
  const { relation } = member.predicate;
  assertEquals(relation.columns.map(({ name }) => name), [
    "id",
    "organizationId",
    "depotId",
    "deletedAt",
  ]);
  const { own, related, tenant, deletedAt } = relation;
  assertEquals([own, related, deletedAt], ["orderId", "id", "deletedAt"]);
  assertEquals(tenant, { own: "organizationId", related: "organizationId" });
});

Deno.test("columns that a rule compares behind a relation have an index", () => {
  const items = 'read: { access: { record: { order: { assigneeId: "$ctx.userId" } } } },';
  const { model } = field({ items });
  const orders = model?.tables.find(({ name }) => name === "orders");
  const lists = orders?.indexes.map(({ columns }) => columns.join()) ?? [];
  assert(lists.includes("organizationId,assigneeId,deletedAt,id"), lists.join(" | "));
});

Deno.test("a record follows relations both ways and says or, and, not", () => {
  const items = `read: { access: { record: {
    note: { notEquals: "x" },
    or: [{ order: { status: "open" } }, { not: { order: { crew: { none: { userId: "a" } } } } }],
  } } },`;
  const { model, errors } = field({ items });
  assertEquals(toldOf(errors), []);
  const access = model?.resources.find(({ name }) => name === "items")?.read?.access;
  assert(access?.kind === "row");
  assertEquals(
    predicateText(access.predicate),
    'note notEquals "x" and ((its order where status equals "open") or ' +
      'not (its order where no crew where userId equals "a"))',
  );
});

Deno.test("a mask is lifted on rows, for roles or for everybody", () => {
  const items = `masking: { note: { type: "redact", show: {
    roles: ["technician"], record: { order: { assigneeId: "$ctx.userId" } },
    anyOf: [{ roles: ["admin"] }, { record: { order: { status: "open" } } }],
  } } },`;
  const { model, errors } = field({ items });
  assertEquals(toldOf(errors), []);
  const mask = model?.resources.find(({ name }) => name === "items")?.masks["note"];
  assertEquals([mask?.showRoles, mask?.queryRoles], [["admin"], []]);
  assert(mask?.showRows);
  assertEquals(
    predicateText(mask.showRows),
    "(the caller is technician and (its order where assigneeId equals ctx.userId)) or " +
      '(its order where status equals "open")',
  );
});

Deno.test("without organizations through isolates", () => {
  const files: Files = {
    "quickback/quickback.config.ts":
      'export default { name: "field", features: { organizations: false } };\n',
    [ORDERS]: `import { feature, q } from "quickback";
export default feature("orders", { columns: { ownerId: q.scope("owner") } });
`,
    [ITEMS]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("items", {
  columns: { orderId: q.text().references(() => orders.id) },
  firewall: [{ through: "order" }],
});
`,
  };
  assertEquals(toldOf(analyzed(files).errors), []);
});

type Row = readonly [title: string, rules: Rules, told: readonly string[]];

const ROWS: readonly Row[] = [
  ["an unknown relation", { items: 'firewall: [{ through: "ordr" }],' }, [
    'RELATION_UNKNOWN 5:23 Unknown relation "ordr" of table "items" | Did you mean "order"?',
  ]],
  ["a column in a relation's place", { items: 'firewall: [{ through: "orderId" }],' }, [
    'RELATION_UNKNOWN 5:23 "orderId" is a column of table "items", and no relation | Did you mean "order"?',
  ]],
  ["a table's name in a firewall", {
    orders: 'firewall: [{ through: "crew", some: { userId: "a" } }],',
  }, [
    'RELATION_UNKNOWN 5:23 Unknown relation "crew" of table "orders" | Did you mean "crew.orderId"?',
  ]],
  ["an unknown relation of a record", {
    items: 'read: { access: { record: { crew: { userId: "a" } } } },',
  }, [
    'RELATION_UNKNOWN 5:29 Unknown relation "crew" of table "items" | There are "order"',
  ]],
  ["some of one row", { items: 'firewall: [{ through: "order", some: { status: "open" } }],' }, [
    'RELATION_QUANTIFIER 5:23 "order" is one row and takes where or nothing, not some | Write { through: "order", where: { … } }',
  ]],
  ["where of many rows", {
    orders: 'firewall: [{ through: "crew.orderId", where: { userId: "a" } }],',
  }, [
    'RELATION_QUANTIFIER 5:23 "crew.orderId" is many rows and needs exactly one of some and none, not where | Write { through: "crew.orderId", some: { … } }',
  ]],
  ["nothing of many rows", { orders: 'firewall: [{ through: "crew.orderId" }],' }, [
    'RELATION_QUANTIFIER 5:23 "crew.orderId" is many rows and needs exactly one of some and none, not nothing | Write { through: "crew.orderId", some: { … } }',
  ]],
  [
    "some and none",
    {
      orders:
        'firewall: [{ through: "crew.orderId", some: { userId: "a" }, none: { userId: "b" } }],',
    },
    [
      'RELATION_QUANTIFIER 5:23 "crew.orderId" is many rows and needs exactly one of some and none, not some, none | Write { through: "crew.orderId", some: { … } }',
    ],
  ],
  ["an empty anyOf", { items: "firewall: [{ anyOf: [] }]," }, [
    'VALUE_INVALID 5:21 "items.firewall[0].anyOf" is an empty list, expected at least one predicate',
  ]],
  ["a firewall's spelling in a condition", {
    items: 'firewall: [{ through: "order", where: { assigneeId: "ctx.userId" } }],',
  }, [
    'CONTEXT_SPELLING 5:53 "ctx.userId" in "items.firewall[0].where.assigneeId" is no value of the caller | Write "$ctx.userId"',
  ]],
  ["an unknown column behind a relation", {
    items: 'firewall: [{ through: "order", where: { state: "open" } }],',
  }, [
    'COLUMN_UNKNOWN 5:41 Unknown column "state" of table "orders"',
  ]],
  [
    "a number where a text is",
    { items: 'firewall: [{ through: "order", where: { status: 1 } }],' },
    [
      'OPERAND_TYPE 5:49 Column "status" is compared with 1, expected a string',
    ],
  ],
  [
    "a scope in anyOf alone",
    {
      items:
        'firewall: [{ anyOf: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { through: "order" }] }],',
    },
    [
      'ISOLATION_MISSING 5:1 No column isolates the rows of "items" by its caller | Add q.scope("organization") or q.scope("owner"), or say firewall: { exception: true }',
    ],
  ],
  ["a predicate for a role that others have too", {
    items: `firewall: [
  { field: "organizationId", equals: "ctx.activeOrgId" },
  { through: "order", where: { assigneeId: "$ctx.userId" }, roles: ["technician"] },
],
read: { access: { roles: ["technician", "dispatcher"] } },`,
  }, [
    'FIREWALL_ROLE_NARROWS 5:1 Whoever holds technician and also dispatcher sees fewer rows of "items" than with that role alone | Write { anyOf: [{ roles: ["dispatcher"] }, { …, roles: ["technician"] }] }',
  ]],
];

const OTHERS = ["ACCESS_MISSING", "GUARDS_MISSING", "CASCADE_NARROWER"];

for (const [title, rules, expected] of ROWS) {
  Deno.test(`Relations: ${title}`, () => {
    const { errors, warnings } = field({ ...rules, items: `${rules.items ?? ""}` });
    const told = toldOf([...errors, ...warnings]);
    assertEquals(told.filter((one) => !OTHERS.some((code) => one.startsWith(code))), expected);
  });
}

Deno.test("a table without the tenant's column is no target, and none without it has a rule", () => {
  const { errors } = analyzed({
    "quickback/quickback.config.ts": 'export default { name: "field" };\n',
    [ORDERS]: `import { feature, q } from "quickback";
export default feature("orders", { columns: { name: q.text() }, firewall: { exception: true } });
`,
    [ITEMS]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("items", {
columns: { ${SCOPE}, orderId: q.text().references(() => orders.id) },
firewall: [{ through: "order", where: { name: "a" } }],
});
`,
    [CREW]: `import { feature, q } from "quickback";
import items from "./items.ts";
export default feature("crew", {
columns: { itemId: q.text().references(() => items.id) },
firewall: [{ through: "item", where: { orderId: "a" } }],
});
`,
  });
  assertEquals(toldOf(errors), [
    'RELATION_UNSCOPED 5:23 Relation "item" of "crew" leaves the tenant: "crew" has no organization column | Add q.scope("organization") to "crew"',
    'RELATION_UNSCOPED 5:23 Relation "order" of "items" leaves the tenant: "orders" has no organization column | Add q.scope("organization") to "orders"',
  ]);
});

Deno.test("a table that through alone isolates needs its scope column", () => {
  const { errors } = analyzed({
    "quickback/quickback.config.ts": 'export default { name: "field" };\n',
    [ORDERS]: `import { feature, q } from "quickback";
export default feature("orders", { columns: { ${SCOPE}, userId: q.text() } });
`,
    [ITEMS]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("items", {
columns: { ${
      SCOPE.replace("organizationId", "tenantId")
    }, orderId: q.text().references(() => orders.id) },
firewall: [{ anyOf: [{ through: "order" }, { field: "tenantId", isNull: true }] }],
});
`,
  });
  assertEquals(toldOf(errors).map((one) => one.split(" ")[0]), ["ISOLATION_MISSING"]);
});

Deno.test("a circle of through alone is shown, and parent with conditions is none", () => {
  const table = (name: string, other: string, rule: string) =>
    `import { feature, q } from "quickback";
import ${other} from "./${other}.ts";
export default feature("${name}", {
columns: { ${SCOPE}, name: q.text(), ${other}Id: q.text().references(() => ${other}.id) },
${rule}
});
`;
  const files = (rule: string): Files => ({
    "quickback/quickback.config.ts": 'export default { name: "field" };\n',
    "quickback/features/field/one.ts": table("one", "two", 'firewall: [{ through: "two" }],'),
    "quickback/features/field/two.ts": table("two", "one", rule),
  });
  const circle = analyzed(files('firewall: [{ through: "one" }],')).errors;
  assertEquals([...new Set(circle.map(({ code }) => code))], ["RELATION_CIRCLE"]);
  assert(circle.some(({ message }) => message.endsWith("one → two → one")), circle[0]?.message);
  const where = 'firewall: [{ through: "one", where: { two: { name: "a" } } }],';
  assertEquals(toldOf(analyzed(files(where)).errors), []);
  const own = analyzed({
    "quickback/quickback.config.ts": 'export default { name: "field" };\n',
    "quickback/features/field/tree.ts": `import { feature, q } from "quickback";
const tree = q.table("tree", { ${SCOPE}, parentId: q.text().references(() => tree.id) });
export default defineTable(tree, { firewall: [{ through: "parent" }] });
`.replace("feature, q", "defineTable, q"),
  });
  assertEquals(own.errors.map(({ code, message }) => `${code} ${message}`), [
    'RELATION_CIRCLE "through" leads in a circle: tree → tree',
  ]);
});

Deno.test("four keys in a row are too deep, and a rule has 50 comparisons and 8 relations", () => {
  const deep =
    'firewall: [{ through: "order", where: { depot: { orders: { some: { crew: { some: { userId: "a" } } } } } } }],';
  const [error] = field({ items: deep }).errors;
  assertEquals(error?.code, "RELATION_DEPTH");
  assert(error?.message.endsWith("order → depot → orders → crew"), error?.message);
  const many = Array.from({ length: 9 }, (_, at) => `{ order: { status: "s${at}" } }`).join(", ");
  const [large] = field({ items: `read: { access: { record: { or: [${many}] } } },` }).errors;
  assertEquals(large?.code, "RULE_TOO_LARGE");
  const eight = many.split(", ").slice(0, 8).join(", ");
  assertEquals(
    toldOf(field({ items: `read: { access: { record: { or: [${eight}] } } },` }).errors),
    [],
  );
});
