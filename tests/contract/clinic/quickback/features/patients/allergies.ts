import { defineTable, q } from "quickback";
import patients from "./patients";

export const allergies = q.table("allergies", {
  id: q.id(),
  organizationId: q.scope("organization"),
  patientId: q.text().required().references(() => patients.id),
  substance: q.text().required(),
  isConfirmed: q.bool().required().default(false),
  scan: q.file({ types: ["application/pdf"] }),
});

export default defineTable(allergies, {
  guards: { createable: ["patientId", "substance"], updatable: ["scan"] },
  masking: { scan: { type: "redact", show: { roles: ["doctor"] } } },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["clerk+"] } },
  update: { access: { roles: ["nurse+"] } },
});
