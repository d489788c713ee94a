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
    guests: q.int({ min: 1, max: 40 }),
    fee: q.decimal({ precision: 8, scale: 2, min: "0.50" }),
    leader: q.email(),
    pass: q.text({ pattern: "^[A-Z]{2}-\\d+$", examples: ["AB-1"] }).describe("Printed on the pass"),
    saying: q.text({ minLength: 2 }),
    ticket: q.file({ maxSize: 200_000, types: ["application/pdf", "image/*"] }),
    names: q.list(q.text({ maxLength: 60 }), { maxItems: 40 }),
    number: q.text().required().default({ sequence: "V-{000}", start: 7, per: "organization" }),
    badge: q.text().default({ random: 22 }),
    bookedBy: q.text().default("$ctx.userId"),
    guideId: q.account({ onMemberRemoved: "setNull" }),
    bookedOn: q.date().default("now"),
    taste: q.vector({ dimensions: 3, metric: "euclidean" }),
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
    include: ["workId", "guideId"],
    defaultView: "brief",
    views: {
      brief: { fields: ["id", "workId", "note"], include: ["workId"], defaultSort: "-id" },
      weeks: {
        groupBy: [{ field: "day", by: "week" }],
        aggregations: {
          guests: { fn: "sum", field: "guests" },
          fees: { fn: "sum", field: "fee" },
        },
      },
    },
  },
  create: { access: { roles: ["guide+"] } },
  upsert: { access: { roles: ["guide+"] } },
});
