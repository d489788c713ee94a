import { defineTable, q } from "quickback";
import jobs from "./jobs";
export const jobNotes = q.table("notes", {
  id: q.id(),
  organizationId: q.scope("organization"),
  jobId: q.text().required().references(() => jobs.id),
  body: q.text().required(),
});
export default defineTable(jobNotes, {
  guards: { createable: ["jobId", "body"] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
