import { feature, q } from "quickback";

/** A resource without references and masks. */
export default feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    subject: q.text({ maxLength: 200 }).required(),
    description: q.text({ maxLength: 10_000 }),
    channel: q.enum(["web", "email", "phone"]).required().default("web"),
    priority: q.enum(["low", "normal", "high"]).required().default("normal"),
    status: q.enum(["open", "resolved"]).required().default("open"),
    points: q.int(),
    dueAt: q.timestamp(),
  },
  guards: {
    createable: ["subject", "description", "channel", "priority", "points", "dueAt"],
    updatable: ["subject", "description", "priority", "points", "dueAt"],
    protected: { status: ["resolve", "reopen"] },
  },
  read: { access: { roles: ["agent+"] } },
  create: { access: { roles: ["agent+"] } },
  update: { access: { roles: ["agent+"] } },
  delete: { access: { roles: ["agent+"] } },
  transitions: { status: { open: ["resolved"], resolved: ["open"] } },
  defaultSort: "-createdAt",
  indexes: [{ columns: ["status"] }],
});
