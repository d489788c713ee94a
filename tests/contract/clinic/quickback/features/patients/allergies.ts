import { defineTable, q } from "quickback";
import patients from "./patients";

export const allergies = q.table("allergies", {
  id: q.id(),
  organizationId: q.scope("organization"),
  patientId: q.text().required().references(() => patients.id),
  substance: q.text().required(),
  isConfirmed: q.bool().required().default(false),
});

export default defineTable(allergies, {
  guards: { createable: ["patientId", "substance"] },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["clerk+"] } },
});
