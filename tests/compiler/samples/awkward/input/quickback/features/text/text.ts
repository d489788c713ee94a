import { feature, q } from "quickback";
export default feature("text", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text({ enum: ["x", "y"] }).unique(),
  },
  guards: { createable: ["name"], updatable: ["name"] },
  read: { access: { roles: ["admin"] } },
});
