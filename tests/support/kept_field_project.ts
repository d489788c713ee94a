/** Work orders that dispatchers alone write: what rules over relations keep from technicians stays kept (docs/proof.md, leakcheck). */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const BOTH = '{ roles: ["dispatcher", "technician"] }';
const DISPATCHERS = '{ roles: ["dispatcher"] }';
const OF_ASSIGNEE = '{ order: { assigneeId: "$ctx.userId" } }';
const SCOPE = '{ field: "organizationId", equals: "ctx.activeOrgId" }';

function file(name: string, columns: string, rest: string, read = BOTH): [string, string] {
  const targets = [...new Set([...columns.matchAll(/\(\) => (\w+)\.id/g)].map(([, to]) => to))];
  const written = [...columns.matchAll(/(\w+): q\.(?:text|int)/g)].map(([, column]) =>
    `"${column}"`
  );
  return [
    `quickback/features/field/${name}.ts`,
    `import { feature, q } from "quickback";
${targets.map((to) => `import ${to} from "./${to}.ts";\n`).join("")}
export default feature("${name}", {
  columns: { id: q.id(), organizationId: q.scope("organization"), ${columns} },
  guards: { createable: [${written}], updatable: [${written.slice(0, 2)}] },
  read: { access: ${read}, views: { counted: {
    fields: ["id"], aggregations: { all: { fn: "count" } },
  } } },
  create: { access: ${DISPATCHERS} },
  update: { access: ${BOTH} },
  delete: { access: ${DISPATCHERS} },
  audit: { access: ${BOTH} },
  realtime: true,
  ${rest}
});
`,
  ];
}

const ORDER = "orderId: q.text().references(() => orders.id)";

/** Its technicians read every order's total, which is over items that they do not all see. */
export const KEPT_FIELD: RawFiles = Object.fromEntries([
  [
    "quickback/quickback.config.ts",
    `export default {
  name: "kept",
  auth: { roles: ["dispatcher", "technician"] },
  contract: { changeset: true },
  webhooks: { outbound: true },
  realtime: { enabled: true },
};
`,
  ],
  file(
    "orders",
    `title: q.text(), remark: q.text(), assigneeId: q.text(),
    total: q.rollup("items.orderId", { sum: "amount" })`,
    "",
  ),
  file("crew", `name: q.text(), rank: q.int(), userId: q.text(), ${ORDER}`, ""),
  file(
    "items",
    `note: q.text().searchable(), weight: q.int(), amount: q.int(), ${ORDER}`,
    `firewall: [${SCOPE}, { anyOf: [
      { roles: ["dispatcher"] },
      { through: "order", where: { assigneeId: "$ctx.userId" }, roles: ["technician"] },
    ] }],
    displayColumn: "note",`,
  ),
  file(
    "parts",
    "name: q.text(), size: q.int(), itemId: q.text().references(() => items.id)",
    'firewall: [{ through: "item" }], firewallErrorMode: "hide",',
  ),
  file(
    "locks",
    `title: q.text(), room: q.text(), code: q.text(), ${ORDER}`,
    `masking: { code: { type: "redact", show: { record: ${OF_ASSIGNEE} } } },`,
  ),
  file(
    "notes",
    `text: q.text(), state: q.text(), ${ORDER}`,
    "",
    `{ roles: ["technician"], record: ${OF_ASSIGNEE} }`,
  ),
  file(
    "visits",
    `day: q.text(), hours: q.int(), ${ORDER}`,
    `firewall: [${SCOPE}, { through: "order", where: { crew: { some: { userId: "$ctx.userId" } } } }],`,
  ),
]);
