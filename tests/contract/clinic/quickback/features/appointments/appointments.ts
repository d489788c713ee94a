import { feature, q } from "quickback";
import patients from "../patients/patients";

export default feature("appointments", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    patientId: q.text().references(() => patients.id),
    reason: q.text().required(),
    status: q.enum(["requested", "confirmed", "cancelled"]).required().default("requested"),
    invoice: q.text(),
    revision: q.revision(),
  },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["clerk+"] }, action: "book" },
  update: { access: { roles: ["clerk+"] }, action: "reschedule" },
  delete: { access: { roles: ["nurse+"] }, action: "cancel" },
  transitions: { status: { requested: ["confirmed", "cancelled"], confirmed: ["cancelled"] } },
});
