import { feature, q } from "quickback";
import tickets from "../tickets/tickets.ts";

/** An agent's own notes about a ticket: the author reads them, nobody else. */
export default feature("internalNotes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    ticketId: q.text().required().references(() => tickets.id, { onDelete: "cascade" }),
    body: q.text({ maxLength: 4000 }).required(),
    pinned: q.bool().required().default(false),
  },

  // A colleague's note answers 404, as if it were not there.
  firewallErrorMode: "hide",

  guards: {
    createable: ["ticketId", "body", "pinned"],
    updatable: ["body", "pinned"],
    immutable: ["ticketId"],
  },

  read: { access: { roles: ["agent+"] } },
  create: { access: { roles: ["agent+"] } },
  update: { access: { roles: ["agent+"] } },
  // For good: with a ticket that somebody else deletes, nobody's notes go.
  delete: { mode: "hard", access: { roles: ["agent+"] } },
});
