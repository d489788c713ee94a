import { feature, q } from "quickback";
import customers from "../customers/customers.ts";

/** A request for help and its way from `open` to `closed`. */
export default feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    customerId: q.text().required().references(() => customers.id),
    subject: q.text({ maxLength: 200 }).required().searchable(),
    description: q.text({ maxLength: 10_000 }).searchable(),
    channel: q.enum(["web", "email", "phone"]).required().default("web"),
    priority: q.enum(["low", "normal", "high", "urgent"]).required().default("normal"),
    status: q.enum(["open", "pending", "resolved"]).required().default("open"),
    /** User id of the agent who has it. */
    assigneeId: q.text(),
    dueAt: q.timestamp(),
    resolvedAt: q.timestamp(),
  },

  // No `firewall`: it follows from the columns. Organization and not deleted, here.

  guards: {
    createable: ["customerId", "subject", "description", "channel", "priority", "dueAt"],
    updatable: ["subject", "description", "priority", "assigneeId", "dueAt"],
    immutable: ["customerId", "channel"],
    // Only these actions move a ticket along: no PATCH can resolve one.
    protected: { status: ["resolve", "reopen"], resolvedAt: ["resolve", "reopen"] },
  },

  read: {
    // Agents see every ticket of their organization, customers the ones they wrote.
    access: {
      or: [
        { roles: ["agent+"] },
        { roles: ["customer"], record: { createdBy: { equals: "$ctx.userId" } } },
      ],
    },
    // The customer of a ticket, and what was said about it.
    include: ["customerId", "comments.ticketId"],
    views: {
      queue: {
        fields: ["id", "subject", "priority", "status", "customerId", "dueAt", "createdAt"],
        access: { roles: ["agent+"] },
        include: ["customerId"],
        query: {
          filterable: ["status", "priority", "customerId"],
          sortable: ["dueAt", "createdAt"],
          defaultSort: "createdAt",
        },
      },
      summary: {
        fields: ["id", "subject", "status", "createdAt"],
      },
    },
  },
  create: { access: { roles: ["customer+"] } },
  update: {
    access: {
      or: [
        { roles: ["agent+"] },
        {
          roles: ["customer"],
          record: { createdBy: { equals: "$ctx.userId" }, status: { notEquals: "resolved" } },
        },
      ],
    },
  },
  delete: { access: { roles: ["admin+"] } },

  transitions: {
    status: { open: ["pending", "resolved"], pending: ["open", "resolved"], resolved: ["open"] },
  },

  // Everybody hears of the tickets that they may read, masked as a read masks them.
  realtime: true,

  displayColumn: "subject",
  defaultSort: "-createdAt",
  indexes: [{ columns: ["status", "priority"] }],
});
