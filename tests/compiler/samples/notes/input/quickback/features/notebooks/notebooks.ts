import { feature, q } from "quickback";

export default feature("notebooks", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 80 }).required().unique(),
    isArchived: q.bool().required().default(false),
    coverUrl: q.url(),
  },
  guards: { createable: ["title", "coverUrl"], updatable: ["title", "isArchived", "coverUrl"] },
  read: { access: { roles: ["member+"] } },
  create: { access: { roles: ["member+"] } },
  update: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] } },
});
