/** Work orders of technicians: rules that follow relations in every place that takes one (docs/decisions/relations.md). */
import { type ApiUnderTest, type Claims, isRecord } from "./api.ts";

export const DISPATCHER: Claims = { sub: "dora", orgId: "org_a", roles: ["dispatcher"] };
export const TOM: Claims = { sub: "tom", orgId: "org_a", roles: ["technician"] };
export const TINA: Claims = { sub: "tina", orgId: "org_a", roles: ["technician"] };
/** Of another organization, with the same account id in its rows. */
export const STRANGER: Claims = { sub: "tom", orgId: "org_b", roles: ["dispatcher"] };

const ANYBODY = '["dispatcher", "technician"]';

function file(
  name: string,
  columns: string,
  rest: string,
  access = `{ roles: ${ANYBODY} }`,
): readonly [string, string] {
  const targets = new Set([...columns.matchAll(/\(\) => (\w+)\.id/g)].map(([, target]) => target));
  const imports = [...targets].filter((target) => target !== name)
    .map((target) => `import ${target} from "./${target}.ts";\n`);
  return [
    `quickback/features/field/${name}.ts`,
    `import { feature, q } from "quickback";
${imports.join("")}
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), version: q.revision(), ${columns} },
  guards: false,
  read: {
    access: ${access},
    ${name === "items" ? 'include: ["orderId"],' : ""}
    views: { counted: {
      fields: ["id"], aggregations: { all: { fn: "count" } },
    } },
  },
  create: { access: ${access} },
  update: { access: ${access} },
  upsert: { access: ${access} },
  delete: { access: ${access}, restore: { access: ${access} } },
  audit: { access: { roles: ${ANYBODY} } },
  ${rest}
});
`,
  ];
}

const ORDER = "orderId: q.text().references(() => orders.id)";
const SCOPE = '{ field: "organizationId", equals: "ctx.activeOrgId" }';

export const FIELD: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "field",
  auth: { roles: ["dispatcher", "technician"] },
  providers: { database: defineDatabase("libsql", { generateId: false }) },
});
`,
  ...Object.fromEntries([
    file("orders", "title: q.text(), assigneeId: q.text(), status: q.text()", ""),
    file("crew", `userId: q.text(), ${ORDER}`, ""),
    // Dispatchers see all, technicians what belongs to their orders.
    file(
      "items",
      `note: q.text(), amount: q.int(), photo: q.file({ maxSize: 100_000, types: ["image/png"] }), ${ORDER}`,
      `firewall: [${SCOPE}, { anyOf: [
        { roles: ["dispatcher"] },
        { through: "order", where: { assigneeId: "$ctx.userId" }, roles: ["technician"] },
      ] }],`,
    ),
    // Reachable where its item is.
    file(
      "parts",
      "name: q.text(), itemId: q.text().references(() => items.id)",
      'firewall: [{ through: "item" }], firewallErrorMode: "hide",',
    ),
    // Its code is seen by dispatchers, by the order's assignee and by its maker.
    file(
      "keys",
      `title: q.text(), code: q.text().unique(), file: q.file({ maxSize: 1000, types: ["text/plain"] }), ${ORDER}`,
      `displayColumn: "code",
      masking: {
        code: { type: "redact", show: {
          roles: ["dispatcher"], or: "owner",
          anyOf: [{ roles: ["technician"], record: { order: { assigneeId: "$ctx.userId" } } }],
        } },
        file: { type: "redact", show: { record: { order: { assigneeId: "$ctx.userId" } } } },
      },`,
    ),
    file("copies", "keyId: q.text().references(() => keys.id)", ""),
    // The same by access: a row condition of every verb.
    file(
      "notes",
      `text: q.text(), state: q.text().default("open"), ${ORDER}`,
      "",
      `{ roles: ${ANYBODY}, record: { order: { assigneeId: "$ctx.userId" } } }`,
    ),
    // Somebody of the crew, and nobody of it.
    file(
      "visits",
      `day: q.text(), ${ORDER}`,
      `firewall: [${SCOPE}, { through: "order", where: { crew: { some: { userId: "$ctx.userId" } } } }],`,
    ),
    file(
      "audits",
      `day: q.text(), ${ORDER}`,
      `firewall: [${SCOPE}, { through: "order", where: { crew: { none: { userId: "$ctx.userId" } } } }],`,
    ),
  ]),
};

/** Orders of Tom, of Tina, of nobody, one that is deleted, and one of another organization that names Tom. */
export async function fillField(api: ApiUnderTest): Promise<void> {
  await make(api, "orders", { id: "toms", title: "Tom's", assigneeId: "tom", status: "open" });
  await make(api, "orders", { id: "tinas", title: "Tina's", assigneeId: "tina", status: "open" });
  await make(api, "orders", { id: "free", title: "Nobody's" });
  await make(api, "orders", { id: "gone", title: "Deleted", assigneeId: "tom" });
  await make(api, "orders", { id: "foreign", title: "Foreign", assigneeId: "tom" }, STRANGER);
  for (const orderId of ["toms", "tinas", "free", "gone", null]) {
    const id = `item_${orderId}`;
    await make(api, "items", { id, note: id, amount: 1, orderId });
  }
  await make(api, "items", { id: "item_foreign", note: "f", orderId: "foreign" }, STRANGER);
  await make(api, "crew", { id: "crew_1", userId: "tina", orderId: "toms" });
}

/** Puts a record there, as whoever may. */
export async function make(
  api: ApiUnderTest,
  resource: string,
  { id, ...body }: { readonly id: string } & Readonly<Record<string, unknown>>,
  as = DISPATCHER,
): Promise<void> {
  const { status, text } = await api.ask(`${resource}/${id}`, { method: "PUT", as, body });
  if (status !== 201 && status !== 200) throw new Error(`${resource}/${id}: ${status} ${text}`);
}

/** Ids of a list, in their order. */
export async function listed(api: ApiUnderTest, path: string, as: Claims): Promise<string[]> {
  const { body } = await api.ask(path, { as });
  const data = Array.isArray(body["data"]) ? body["data"] : [];
  return data.map((one) => String(isRecord(one) ? one["id"] : null)).sort();
}
