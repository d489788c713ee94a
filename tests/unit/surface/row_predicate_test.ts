/** Words, columns and roles of rules over rows (docs/decisions/relations.md). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import {
  columnsAsked,
  firewallColumns,
  firewallText,
  relationsAt,
  relationsIn,
  rolesIn,
} from "../../../shared/surface/row_predicate.ts";

const ORDERS = `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { id: q.id(), organizationId: q.scope("organization"), assigneeId: q.text() },
});
`;

const lines = (rule: string) =>
  `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("lines", {
  columns: {
    id: q.id(), organizationId: q.scope("organization"), kind: q.text(),
    orderId: q.text().references(() => orders.id),
  },
  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, ${rule}],
});
`;

function tableWith(rule: string) {
  const validation = validate({
    "quickback/quickback.config.ts":
      'export default { name: "words", auth: { roles: ["boss", "clerk"] } };\n',
    "quickback/features/words/orders.ts": ORDERS,
    "quickback/features/words/lines.ts": lines(rule),
  });
  assert(validation.ok, JSON.stringify(validation));
  const table = validation.model.tables.find(({ name }) => name === "lines");
  assert(table);
  return table;
}

const MINE = '{ through: "order", where: { assigneeId: "$ctx.userId" } }';

const RULES: readonly (readonly [rule: string, text: string])[] = [
  ['{ through: "order" }', "its order is there"],
  [MINE, "its order where assigneeId equals ctx.userId"],
  [
    '{ through: "order", where: { lines: { some: { kind: "a" } } } }',
    'its order where some lines where kind equals "a"',
  ],
  [
    '{ through: "order", where: { lines: { none: { kind: { in: ["a", "b"] } } } } }',
    'its order where no lines where kind in ["a","b"]',
  ],
  [
    `{ anyOf: [{ roles: ["boss"] }, { field: "kind", equals: "free" }, ${
      MINE.replace(" }", ' }, roles: ["clerk"]')
    }] }`,
    'the caller is boss or kind equals "free" or ' +
    "(the caller is clerk and (its order where assigneeId equals ctx.userId))",
  ],
  [
    '{ anyOf: [{ roles: ["boss"] }, { field: "kind", equals: "ctx.userId" }] }',
    "the caller is boss or kind equals ctx.userId",
  ],
  [
    '{ anyOf: [{ through: "order", where: { not: { assigneeId: "$ctx.userId" } } }, { roles: ["boss"] }] }',
    "(its order where not (assigneeId equals ctx.userId)) or the caller is boss",
  ],
  [
    '{ through: "order", where: { not: { assigneeId: null } } }',
    "its order where not (assigneeId equals null)",
  ],
];

for (const [rule, text] of RULES) {
  Deno.test(`a rule says: ${text}`, () => {
    const member = tableWith(rule).firewall.find(({ kind }) => kind === "rule");
    assert(member);
    assertEquals(firewallText(member), text);
  });
}

Deno.test("a rule names the columns that it asks of its own row, its relations and its roles", () => {
  const { firewall } = tableWith(RULES[4]?.[0] ?? "");
  assertEquals(firewallColumns(firewall).toSorted(), [
    "deletedAt",
    "kind",
    "orderId",
    "organizationId",
    "organizationId",
  ]);
  const [rule] = firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []);
  assert(rule);
  assertEquals(rolesIn(rule).toSorted(), ["boss", "clerk"]);
  assertEquals(columnsAsked(rule).toSorted(), ["kind", "orderId", "organizationId"]);
  const nested = tableWith(RULES[2]?.[0] ?? "").firewall
    .flatMap((one) => one.kind === "rule" ? [one.predicate] : []);
  assertEquals(nested.flatMap(relationsIn).map(({ relation }) => relation.name), [
    "order",
    "lines",
  ]);
  assertEquals(relationsAt(nested).map(({ relation }) => relation.name), ["order"]);
});
