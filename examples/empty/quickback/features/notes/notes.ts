import { feature, q } from "quickback";

/** One table to start from: every organization has its own notes. */
export default feature("notes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
    body: q.text(),
  },
  guards: { createable: ["title", "body"], updatable: ["title", "body"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
  delete: { access: { roles: ["owner", "admin"] } },
});
