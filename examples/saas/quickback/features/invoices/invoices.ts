import { feature, q } from "quickback";

/** What a customer owes. Amounts are cents. */
export default feature("invoices", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    number: q.text({ maxLength: 32 }).required().unique(),
    customerName: q.text({ maxLength: 120 }).required().searchable(),
    billingEmail: q.text({ maxLength: 254 }).required(),
    iban: q.text({ maxLength: 34 }),
    amount: q.int().required(),
    currency: q.enum(["EUR", "USD", "GBP"]).required().default("EUR"),
    status: q.enum(["draft", "sent", "paid"]).required().default("draft"),
    sentAt: q.timestamp(),
    paidAt: q.timestamp(),
    version: q.revision(),
  },

  guards: {
    createable: ["number", "customerName", "billingEmail", "iban", "amount", "currency"],
    updatable: ["customerName", "billingEmail", "iban"],
    // A number is on paper somewhere, and an amount is what was agreed.
    immutable: ["number", "amount", "currency"],
    protected: { status: ["send", "pay"], sentAt: ["send"], paidAt: ["pay"] },
  },

  // Members recognise a customer without seeing where the money goes; who may not see it may not search by it either.
  masking: {
    billingEmail: { type: "email", show: { roles: ["admin", "owner"] } },
    iban: { type: "redact", show: { roles: ["admin", "owner"] } },
  },

  read: {
    access: { roles: ["member+"] },
    views: {
      open: {
        fields: ["id", "number", "customerName", "amount", "currency", "status", "sentAt"],
        query: { filterable: ["status", "currency"], sortable: ["sentAt", "amount"] },
        aggregations: { invoices: { fn: "count" }, total: { fn: "sum", field: "amount" } },
      },
    },
  },
  create: { access: { roles: ["admin+"] } },
  update: { access: { roles: ["admin+"], record: { status: { equals: "draft" } } } },
  delete: { access: { roles: ["admin+"], record: { status: { equals: "draft" } } } },

  // Changes of amounts, addresses and states, with their authors: for whoever keeps the books, ten years.
  audit: { access: { roles: ["admin", "owner"] }, keepDays: 3652 },

  transitions: { status: { draft: ["sent"], sent: ["paid"] } },

  displayColumn: "number",
  defaultSort: "-createdAt",
});
