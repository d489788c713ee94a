/** 20,000 tickets of 50 customers, and conditions over relations that cost as much as any (contract 4.3). */
import type { ApiUnderTest, Claims } from "./api.ts";
import { insertRows } from "./insert_rows.ts";

export const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };

export const RELATED_FILES = {
  "quickback/quickback.config.ts":
    'export default { name: "desk", rateLimit: { read: { limit: 1000000, period: 60 } } };\n',
  "quickback/features/customers/customers.ts": `import { feature, q } from "quickback";
export default feature("customers", {
  columns: { id: q.id(), organizationId: q.scope("organization"), name: q.text() },
  read: { access: { roles: ["member"] }, include: ["tickets.customerId"] },
});
`,
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
import customers from "../customers/customers";
export default feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text(),
    customerId: q.text().references(() => customers.id),
  },
  read: { access: { roles: ["member"] } },
});
`,
};

/** The same tickets behind rules that follow relations, there and back: one way in of several, and a row condition. */
export const RULED_FILES = {
  ...RELATED_FILES,
  "quickback/features/tickets/tickets.ts": RELATED_FILES["quickback/features/tickets/tickets.ts"]
    .replace(
      'read: { access: { roles: ["member"] } },',
      `firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { anyOf: [
      { through: "customer", where: { name: "$ctx.userId" } },
      { through: "customer", where: { tickets: { some: { title: { notEquals: "zzzz" } } } } },
    ] },
  ],
  read: { access: {
    roles: ["member"],
    record: { customer: { tickets: { none: { title: "zzzz" } } } },
  } },`,
    ),
};

export async function insertRelated({ database, project }: ApiUnderTest): Promise<void> {
  const row = { organizationId: "org_a", createdAt: "2026-01-02T03:04:05.678Z" };
  const customers = Array.from({ length: 50 }, (_, at) => ({ ...row, id: `c${at}` }));
  const tickets = Array.from({ length: 20_000 }, (_, at) => ({
    ...row,
    id: `t${at}`,
    title: `Ticket ${at}`,
    customerId: `c${at % 50}`,
  }));
  await insertRows(database, project, { customers, tickets });
}

type Conditions = Readonly<Record<string, unknown>>;

const none: Conditions = { title: "zzzz" };
const every: Conditions = { title: { notEquals: "zzzz" } };
const back = (conditions: Conditions, quantifier = "some"): Conditions => ({
  customer: { tickets: { [quantifier]: conditions } },
});
const repeated = (count: number, one: Conditions, junction = "or"): Conditions => ({
  [junction]: Array.from({ length: count }, () => one),
});

/** A title is in no index. */
export const UNINDEXED: Conditions = none;

/** What is held to 20 times the filter without an index (docs/decisions/reads.md). */
export const RELATED: Readonly<Record<string, Conditions>> = {
  "one relation": { customer: { name: "zzzz" } },
  "there and back": back(none),
  "there and back, all match": { not: back(every) },
  "there and back, none": back(every, "none"),
  "ten times there and back": repeated(10, back(none)),
  "ten times there and back, all match": repeated(10, back(every), "and"),
  "ten times there and back, none": repeated(10, back(every, "none")),
  "one branch": { customer: repeated(19, { tickets: { some: none } }) },
  "one branch, all match": { customer: repeated(19, { tickets: { some: every } }, "and") },
  "one branch, any match": { customer: repeated(19, { tickets: { some: every } }) },
  "one branch, none match": { customer: repeated(19, { tickets: { none: every } }) },
  "twenty relations": repeated(20, { customer: { name: "zzzz" } }),
};

/** Lists behind rules are held to the same; null: plain ones. */
export const RULED: Readonly<Record<string, Conditions | null>> = {
  "a rule": null,
  "a rule, there and back": back(none),
  "a rule, ten times there and back, all match": repeated(10, back(every), "and"),
  "a rule, twenty relations": repeated(20, { customer: { name: "zzzz" } }),
};

/** Branches that hold other conditions, too, are not joined, and read their relation each. */
export const UNJOINED: Conditions = {
  customer: repeated(16, { name: null, tickets: { none: every } }),
};

/** Milliseconds that the fastest of some lists by these conditions takes; null: of plain ones. All are counted (`total`). */
export async function fastest(api: ApiUnderTest, where: Conditions | null): Promise<number> {
  const query = new URLSearchParams({ total: "true" });
  if (where !== null) query.set("where", JSON.stringify(where));
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const { status, text } = await api.ask(`tickets?${query}`, { as: ANN });
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`${JSON.stringify(where)} is ${status}: ${text}`);
  }
  return Math.min(...times);
}
