/** What `diff` says of rules that follow relations: who gains, who loses, and nothing of what stays as it is (contract 9.3, definitions 4.1). */
import { assert, assertEquals } from "@std/assert";
import { accessChanges } from "../../../proof/diff/access_changes.ts";
import type { Change } from "../../../proof/diff/change.ts";
import { fieldChanges } from "../../../proof/diff/field_changes.ts";
import { type ProjectModel, validate } from "../../../shared/compiler/mod.ts";

const CONFIG =
  `export default { name: "field", auth: { roles: ["dispatcher", "technician", "auditor"] } };
`;
const ANYBODY = 'roles: ["dispatcher", "technician"]';

const ORDERS = `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    id: q.id(), organizationId: q.scope("organization"),
    assigneeId: q.text(), helperId: q.text(), status: q.text(),
  },
  read: { access: { ${ANYBODY} } },
});
`;

const LINES = `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("lines", {
  columns: {
    id: q.id(), organizationId: q.scope("organization"), price: q.int(), kind: q.text(),
    orderId: q.text().references(() => orders.id),
    otherId: q.text().references(() => orders.id),
  },
  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, /*firewall*/],
  masking: { price: { type: "redact", show: { roles: ["dispatcher"] /*show*/ } } },
  read: { access: { ${ANYBODY} /*record*/ } },
});
`;

interface Version {
  readonly firewall?: string;
  readonly record?: string;
  readonly show?: string;
  readonly orders?: string;
}

function modelOf({ firewall = "", record = "", show = "", orders = ORDERS }: Version) {
  const lines = LINES.replace("/*firewall*/", firewall).replace("/*record*/", record)
    .replace("/*show*/", show);
  const validation = validate({
    "quickback/quickback.config.ts": CONFIG,
    "quickback/features/field/orders.ts": orders,
    "quickback/features/field/lines.ts": lines,
  });
  assert(validation.ok, JSON.stringify(validation, null, 2));
  return validation.model;
}

function changesBetween(before: ProjectModel, after: ProjectModel): readonly Change[] {
  return [...accessChanges(before, after), ...fieldChanges(before, after)];
}

/** `gain technician`, of the classes of this project's roles. */
function turns(changes: readonly Change[], about: RegExp): readonly string[] {
  return [
    ...new Set(
      changes.filter(({ subject }) => about.test(subject)).flatMap(({ kind, principals }) =>
        principals.filter((one) => one.startsWith("role:"))
          .map((one) => `${kind} ${one.slice("role:".length)}`)
      ),
    ),
  ].sort();
}

const mine = (rest = "") => `{ through: "order", where: { assigneeId: "$ctx.userId"${rest} } }`;
const anyOf = (...items: readonly string[]) => `{ anyOf: [${items.join(", ")}] }`;
const DISPATCHERS = '{ roles: ["dispatcher"] }';
const TECHNICIANS =
  '{ through: "order", where: { assigneeId: "$ctx.userId" }, roles: ["technician"] }';
const ALL = ["auditor", "dispatcher", "technician"];
const each = (kind: string, roles: readonly string[] = ALL) => roles.map((one) => `${kind} ${one}`);
const both = (roles: readonly string[] = ALL) => [...each("gain", roles), ...each("loss", roles)];

const FIREWALLS: readonly (readonly [
  what: string,
  before: string,
  after: string,
  turns: readonly string[],
])[] = [
  ["the same rule", mine(), mine(), []],
  ["a new relation", "", mine(), each("loss")],
  ["a relation that is gone", mine(), "", each("gain")],
  ["a narrower relation", mine(), mine(', status: "open"'), each("loss")],
  ["a wider relation", mine(', status: "open"'), mine(), each("gain")],
  ["another column of the related row", mine(), mine().replace("assignee", "helper"), both()],
  ["another key", mine(), mine().replace('"order"', '"other"'), both()],
  ["a literal in the place of the caller", mine(), mine().replace("$ctx.userId", "ann"), both()],
  [
    "more values",
    mine(', status: { in: ["a"] }'),
    mine(', status: { in: ["a", "b"] }'),
    each("gain"),
  ],
  ["fewer values", mine(', status: { in: ["a", "b"] }'), mine(', status: "a"'), each("loss")],
  [
    "one refused value less",
    mine(', status: { notIn: ["a", "b"] }'),
    mine(', status: { notIn: ["a"] }'),
    each("gain"),
  ],
  [
    "a branch for a role",
    anyOf(DISPATCHERS, TECHNICIANS),
    anyOf(TECHNICIANS, DISPATCHERS, '{ roles: ["auditor"] }'),
    ["gain auditor"],
  ],
  ["a branch that a role loses", anyOf(DISPATCHERS, TECHNICIANS), anyOf(TECHNICIANS, TECHNICIANS), [
    "loss dispatcher",
  ]],
  [
    "a branch in another place",
    anyOf(DISPATCHERS, TECHNICIANS),
    anyOf(TECHNICIANS, DISPATCHERS),
    [],
  ],
  [
    "a branch for other roles",
    anyOf(DISPATCHERS, TECHNICIANS),
    anyOf(DISPATCHERS, TECHNICIANS.replace("technician", "auditor")),
    ["gain auditor", "loss technician"],
  ],
  [
    "a branch with a further condition",
    anyOf(DISPATCHERS, TECHNICIANS),
    anyOf(DISPATCHERS, TECHNICIANS.replace('userId"', 'userId", status: "open"')),
    ["loss technician"],
  ],
  [
    "one way in more",
    anyOf(DISPATCHERS, TECHNICIANS),
    anyOf(DISPATCHERS, TECHNICIANS, '{ field: "kind", equals: "free" }'),
    ["gain auditor", "gain technician"],
  ],
];

for (const [what, before, after, expected] of FIREWALLS) {
  Deno.test(`diff of ${what} in a firewall`, () => {
    const changes = changesBetween(modelOf({ firewall: before }), modelOf({ firewall: after }));
    assertEquals(turns(changes, /^rows of lines/), expected.toSorted());
  });
}

const some = (quantifier: string, conditions: string) =>
  `, record: { order: { "lines.orderId": { ${quantifier}: { ${conditions} } } } }`;
const owned = (rest = "") => `, record: { order: { assigneeId: "$ctx.userId"${rest} } }`;
const READERS = ["dispatcher", "technician"];

const RECORDS: typeof FIREWALLS = [
  ["a new condition", "", owned(), each("loss", READERS)],
  ["a condition that is gone", owned(), "", each("gain", READERS)],
  ["a narrower condition", owned(), owned(', status: "open"'), each("loss", READERS)],
  ["a wider condition", owned(', status: "open"'), owned(), each("gain", READERS)],
  ["another relation", owned(), owned().replace("order", "other"), both(READERS)],
  [
    "none in the place of some",
    some("some", 'kind: "a"'),
    some("none", 'kind: "a"'),
    both(READERS),
  ],
  [
    "fewer rows that some may be",
    some("some", 'kind: "a"'),
    some("some", 'kind: "a", price: 1'),
    each("loss", READERS),
  ],
  [
    "fewer rows that none may be",
    some("none", 'kind: "a"'),
    some("none", 'kind: "a", price: 1'),
    each("gain", READERS),
  ],
  [
    "a condition under not",
    ', record: { not: { order: { status: "a" } } }',
    ', record: { not: { order: { status: { in: ["a", "b"] } } } }',
    each("loss", READERS),
  ],
  [
    "an alternative",
    owned(),
    ', record: { or: [{ kind: "free" }, { order: { assigneeId: "$ctx.userId" } }] }',
    each("gain", READERS),
  ],
];

for (const [what, before, after, expected] of RECORDS) {
  Deno.test(`diff of ${what} in a record`, () => {
    const changes = changesBetween(modelOf({ record: before }), modelOf({ record: after }));
    assertEquals(turns(changes, /^GET \/api\/v1\/lines$/), expected.toSorted());
  });
}

const shown = (rest = "") => `, record: { order: { assigneeId: "$ctx.userId"${rest} } }`;

const MASKS: typeof FIREWALLS = [
  // Nobody filters by such a column any more.
  ["new rows", "", shown(), ["gain technician", "loss dispatcher"]],
  ["rows that are gone", shown(), "", ["gain dispatcher", "loss technician"]],
  ["narrower rows", shown(), shown(', status: "open"'), ["loss technician"]],
  ["wider rows", shown(', status: "open"'), shown(), ["gain technician"]],
  ["other rows", shown(), shown().replace("assignee", "helper"), [
    "gain technician",
    "loss technician",
  ]],
  ["the same rows", shown(), shown(), []],
];

for (const [what, before, after, expected] of MASKS) {
  Deno.test(`diff of ${what} that a mask is lifted on`, () => {
    const version = (show: string) =>
      // Both roles bind beside rows, so that a role of its own is an item.
      show === "" ? "" : `, anyOf: [{ roles: ["technician"]${show} }]`;
    const changes = changesBetween(
      modelOf({ show: version(before) }),
      modelOf({ show: version(after) }),
    );
    assertEquals(turns(changes, /^lines\.price/), expected.toSorted());
  });
}

Deno.test("diff tells of a relation that leads elsewhere under the same words", () => {
  const owners = ORDERS.replace("id: q.id(),", 'id: q.id(), ownerId: q.scope("owner"),');
  const through = '{ through: "order" }';
  const open = modelOf({ firewall: through });
  const owned = modelOf({ firewall: through, orders: owners });
  assertEquals(turns(changesBetween(open, owned), /^rows of lines/), each("loss"));
  assertEquals(turns(changesBetween(owned, open), /^rows of lines/), each("gain"));
  const soft = ORDERS.replace(
    "read:",
    'delete: { access: { roles: ["dispatcher"] }, mode: "hard" }, read:',
  );
  const kept = changesBetween(
    modelOf({ firewall: mine(), orders: soft }),
    modelOf({ firewall: mine() }),
  );
  assertEquals(turns(kept, /^rows of lines/).filter((one) => one.startsWith("gain")), []);
});
