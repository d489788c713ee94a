import { feature, q } from "@quickback/compiler";
import { STATES } from "./lib/states";
export const LIMIT = 5;
export default feature("jobs", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(STATES).required().default("open"),
    closedAt: q.timestamp(),
    closedReason: q.text(),
    amount: q.int(),
  },
  guards: {
    createable: ["title"],
    updatable: ["title"],
    protected: { status: ["close", "reopen"] },
  },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  transitions: { status: { open: ["closed"], closed: ["open"] } },
});
