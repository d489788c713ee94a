/** A shop whose orders have code of their author around every write (definitions 6, hooks of records). */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Claims } from "./api.ts";

export const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
export const BEN: Claims = { sub: "ben", orgId: "org_b", roles: ["member"] };

const SHOP = "quickback/features/shop";
const ROLES = `{ access: { roles: ["member"] } }`;

const ORDERS = `import { feature, q } from "quickback";
import customers from "./customers";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(["draft", "sent", "paid"]).required().default("draft"),
    sentAt: q.timestamp(),
    made: q.text().required(),
    kind: q.text().required().default("plain"),
    customerId: q.text().references(() => customers.id),
    amount: q.decimal({ precision: 8, scale: 2 }),
    tags: q.list(q.text(), { maxItems: 3 }),
    paper: q.file(),
    half: q.computed(q.decimal({ precision: 10, scale: 4 }), ({ amount }) => amount * 0.5),
    version: q.revision(),
  },
  guards: {
    createable: ["title", "kind", "customerId", "amount", "tags", "paper"],
    updatable: ["title", "status", "customerId", "amount", "tags", "paper"],
    immutable: ["kind"],
  },
  audit: { access: { roles: ["member"] } },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
  delete: { access: { roles: ["member"] }, mode: "soft", restore: { access: { roles: ["member"] } } },
});
`;

const LINES = `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"),
    orderId: q.text().required().references(() => orders.id, { onDelete: "cascade" }),
    quantity: q.int({ min: 1, max: 9 }).required().default(1),
  },
  guards: { createable: ["orderId", "quantity"], updatable: ["quantity"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
  delete: { access: { roles: ["member"] }, mode: "soft", restore: { access: { roles: ["member"] } } },
});
`;

const CUSTOMERS = `import { feature, q } from "quickback";
export default feature("customers", {
  columns: { organizationId: q.scope("organization"), name: q.text().required().unique() },
  guards: { createable: ["name"], updatable: ["name"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
});
`;

/** Lines that hooks write: what they were given, so that a test reads what ran. */
const LOGS = `import { feature, q } from "quickback";
export default feature("logs", {
  columns: { organizationId: q.scope("organization"), what: q.text().required(), about: q.json() },
  guards: { createable: ["what"] },
  read: ${ROLES}, create: ${ROLES},
});
`;

const MOVES = (name: string, code: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";
import { orders } from "../../schema";
export default defineAction({
  description: "${name}", input: z.object({}), access: { roles: ["member"] },
  ${code}
});
void orders;
`;

/** Hooks of orders that log what they get, with \`beforeCreate\` and the like replaced where they are given. */
export const logging = (own: Readonly<Record<string, string>> = {}) => {
  const log = (what: string, about: string) =>
    `async (given) => { await given.db.insert(logs).values({ what: "${what}", about: ${about} }); }`;
  const hooks = {
    beforeCreate: `async ({ db, ctx, changes, next, operation }) => {
      await db.insert(logs).values({ what: "beforeCreate", about: { operation, changes, status: next.status, made: next.made } });
      return { made: "by " + ctx.userId };
    }`,
    afterCreate: log("afterCreate", "{ title: given.record.title, made: given.record.made }"),
    beforeUpdate: `async ({ db, operation, record, changes, next }) => {
      await db.insert(logs).values({ what: "beforeUpdate", about: { operation, was: record.status, changes, title: next.title, half: next.half } });
      return changes.status === "sent" ? { sentAt: new Date("2026-03-04T05:06:07Z") } : undefined;
    }`,
    afterUpdate: log(
      "afterUpdate",
      "{ operation: given.operation, changed: Object.keys(given.changes), was: given.previous.status, is: given.record.status }",
    ),
    beforeDelete: log("beforeDelete", "{ title: given.record.title }"),
    afterDelete: log("afterDelete", "{ title: given.record.title, cascaded: given.cascaded }"),
    ...own,
  };
  return hooksFile(hooks);
};

/** A file of hooks with exactly these. */
export const hooksFile = (hooks: Readonly<Record<string, string>>) =>
  `import { ActionError, defineHooks, RecordError } from "quickback";
import { eq } from "drizzle-orm";
import { customers, lines, logs, orders } from "../schema";
void [ActionError, RecordError, customers, eq, lines, logs];
export default defineHooks(orders, {
${Object.entries(hooks).map(([name, code]) => `  ${name}: ${code},`).join("\n")}
});
`;

export const hooked = (
  { hooks = logging(), more = {}, config = "" }: {
    readonly hooks?: string;
    readonly more?: RawFiles;
    readonly config?: string;
  } = {},
): RawFiles => ({
  "quickback/quickback.config.ts":
    `export default { name: "shop", contract: { changeset: true }, ${config} };\n`,
  [`${SHOP}/orders.ts`]: ORDERS,
  [`${SHOP}/lines.ts`]: LINES,
  [`${SHOP}/customers.ts`]: CUSTOMERS,
  [`${SHOP}/logs.ts`]: LOGS,
  [`${SHOP}/actions/orders/pay.ts`]: MOVES(
    "pay",
    `transition: { field: "status", fromTo: { draft: ["paid"], sent: ["paid"] }, to: "paid" },`,
  ),
  [`${SHOP}/actions/orders/touch.ts`]: MOVES(
    "touch",
    `execute: async ({ db, record }) => (await db.records.update(orders, record.id, { title: "touched" })),`,
  ),
  [`${SHOP}/hooks/orders.ts`]: hooks,
  ...more,
});
