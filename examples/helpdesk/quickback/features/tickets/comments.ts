import { feature, q } from "quickback";
import tickets from "./tickets.ts";

/** What agents and customers write to each other under a ticket. */
export default feature("comments", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ticketId: q.text().required().references(() => tickets.id, { onDelete: "cascade" }),
    body: q.text({ maxLength: 10_000 }).required(),
    visibility: q.enum(["everyone", "agents"]).required().default("everyone"),
  },

  guards: {
    createable: ["ticketId", "body", "visibility"],
    updatable: ["body"],
    immutable: ["ticketId", "visibility"],
  },

  read: {
    access: {
      or: [
        { roles: ["agent+"] },
        { roles: ["customer"], record: { visibility: { equals: "everyone" } } },
      ],
    },
  },
  create: { access: { roles: ["customer+"] } },
  // A comment belongs to whoever wrote it.
  update: {
    access: { roles: ["customer+"], record: { createdBy: { equals: "$ctx.userId" } } },
  },
  delete: {
    access: {
      or: [
        { roles: ["admin+"] },
        { roles: ["customer+"], record: { createdBy: { equals: "$ctx.userId" } } },
      ],
    },
  },

  defaultSort: "createdAt",
});
