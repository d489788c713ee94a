import { feature, q } from "quickback";
import projects from "../projects/projects.ts";

/** A member's own notes about a project: the author reads them, nobody else. */
export default feature("notes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    projectId: q.text().required().references(() => projects.id, { onDelete: "cascade" }),
    body: q.text({ maxLength: 4000 }).required(),
    pinned: q.bool().required().default(false),
    attachment: q.file({
      maxSize: 10_000_000,
      types: ["application/pdf", "image/*", "text/plain"],
    }),
  },

  // A colleague's note answers 404, as if it were not there.
  firewallErrorMode: "hide",

  guards: {
    createable: ["projectId", "body", "pinned"],
    updatable: ["body", "pinned", "attachment"],
    immutable: ["projectId"],
  },

  read: { access: { roles: ["viewer+"] } },
  create: { access: { roles: ["viewer+"] } },
  update: { access: { roles: ["viewer+"] } },
  // For good: with a project that somebody else deletes, nobody's notes go.
  delete: { mode: "hard", access: { roles: ["viewer+"] } },
});
