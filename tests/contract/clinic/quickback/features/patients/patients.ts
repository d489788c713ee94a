import { feature, q } from "quickback";
import { STAYS } from "./lib/stays";

export default feature("patients", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
    number: q.text().required().unique(),
    email: q.text(),
    note: q.text(),
    stay: q.enum(STAYS).required().default("admitted"),
    beds: q.int().required().default(1),
    dischargedAt: q.timestamp(),
  },
  guards: {
    createable: ["name", "number", "email", "note"],
    updatable: ["name"],
    protected: { stay: ["discharge", "readmit"] },
  },
  masking: {
    email: { type: "email", show: { roles: ["doctor"] } },
    number: { type: "redact", show: { roles: ["nurse+"] } },
  },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["clerk+"] } },
  update: { access: { roles: ["clerk+"] } },
  delete: {
    access: { roles: ["doctor"] },
    children: "refuse",
    restore: { access: { roles: ["doctor"] } },
  },
});
