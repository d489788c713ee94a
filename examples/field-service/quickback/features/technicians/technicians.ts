import { feature, q } from "quickback";

/** Who goes there. */
export default feature("technicians", {
  columns: {
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 120 }).required().searchable(),
    /** The account that they sign in with. */
    accountId: q.account().unique(),
    skills: q.list(q.text({ maxLength: 40 }), { maxItems: 20 }),
    hourlyRate: q.decimal({ precision: 8, scale: 2, min: "0" }),
  },

  guards: {
    createable: ["name", "accountId", "skills", "hourlyRate"],
    updatable: ["name", "accountId", "skills", "hourlyRate"],
  },

  // Everybody sees their own rate.
  masking: {
    hourlyRate: {
      type: "redact",
      show: { roles: ["dispatcher+"], anyOf: [{ record: { accountId: "$ctx.userId" } }] },
    },
  },

  read: { access: { roles: ["technician+"] } },
  create: { access: { roles: ["dispatcher+"] } },
  update: { access: { roles: ["dispatcher+"] } },
  delete: { access: { roles: ["admin+"] } },

  defaultSort: "name",
});
