import { feature, q } from "quickback";
import works from "../works/works";

export default feature("visits", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    teamId: q.scope("team"),
    workId: q.text().references(() => works.id, { onDelete: "set null" }),
    secondWorkId: q.text(),
    note: q.text().optional(),
    day: q.date().optional(),
  },
  firewall: {
    organization: { column: "organizationId" },
    owner: { column: "ownerId", mode: "optional" },
    team: {},
    softDelete: {},
  },
  guards: false,
  references: { secondWorkId: "works" },
  read: {
    access: { roles: ["guide+"] },
    include: ["workId"],
    defaultView: "brief",
    views: { brief: { fields: ["id", "workId", "note"], include: ["workId"], defaultSort: "-id" } },
  },
  create: { access: { roles: ["guide+"] } },
  upsert: { access: { roles: ["guide+"] } },
});
