import { feature, q } from "quickback";
import tickets from "./tickets.ts";

/** Files stand elsewhere: this is where, and what they are. */
export default feature("attachments", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ticketId: q.text().required().references(() => tickets.id, { onDelete: "cascade" }),
    fileName: q.text({ maxLength: 255 }).required(),
    url: q.url({ maxLength: 2048 }).required(),
    bytes: q.int(),
  },

  guards: {
    createable: ["ticketId", "fileName", "url", "bytes"],
    updatable: ["fileName"],
    immutable: ["ticketId", "url", "bytes"],
  },

  read: { access: { roles: ["customer+"] } },
  create: { access: { roles: ["customer+"] } },
  update: { access: { roles: ["agent+"] } },
  // Hard: the row is gone, as the file is.
  delete: { mode: "hard", access: { roles: ["agent+"] } },

  displayColumn: "fileName",
});
