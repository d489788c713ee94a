import { feature, q } from "quickback";

export default feature("works", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 80 }).required().searchable(),
    artist: q.text().filterable(),
    donor: q.text(),
    donorPhone: q.text(),
    insurer: q.text(),
    paidWith: q.text(),
    taxId: q.text(),
    donorEmail: q.text(),
    state: q.enum(["stored", "shown", "lost"]).required().default("stored"),
    shelf: q.int().index(),
    worth: q.real().sortable(),
    fragile: q.bool().required().default(false),
    loaned: q.boolean(),
    acquiredAt: q.timestamp().defaultNow(),
    checkedAt: q.datetime(),
    page: q.url({ maxLength: 200 }),
    notes: q.json(),
    code: q.text().unique().immutable(),
    seal: q.text().protected("stamp"),
    pictures: q.file({ types: ["image/*"], multiple: true, maxItems: 5 }),
    version: q.revision(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "state", in: ["stored", "shown"], exceptRoles: ["director"] },
    { field: "deletedAt", isNull: true },
  ],
  firewallErrorMode: "reveal",
  guards: {
    createable: ["title", "artist", "donor", "donorPhone", "shelf", "worth", "state", "code"],
    updatable: ["title", "artist", "shelf", "pictures"],
    immutable: ["paidWith"],
    protected: { taxId: ["stamp"] },
  },
  masking: {
    donor: {
      type: "name",
      show: { roles: ["director"], or: "owner" },
      query: { roles: ["director"] },
    },
    donorPhone: { type: "phone", show: { roles: ["director"] } },
    insurer: { type: "redact", show: { roles: ["director"] } },
    paidWith: { type: "creditCard", show: { roles: ["director"] } },
    taxId: { type: "ssn", show: { roles: ["director"] } },
    donorEmail: { type: "email", show: { roles: ["director"] } },
  },
  search: { mode: "fullText", fields: ["title", "artist"], weights: { title: 2 } },
  audit: { access: { roles: ["director"] }, keepDays: 90 },
  displayColumn: "title",
  defaultSort: { field: "createdAt", order: "desc" },
  unique: [{ columns: ["title", "shelf"] }],
  indexes: [{ columns: ["artist"] }],
  idPrefix: "wrk",
  allowClientIds: false,
  inputHints: { title: "one line" },
  layouts: { list: ["title"] },
  rateLimit: { read: { limit: 500, period: 60 } },
  realtime: {
    onInsert: true,
    onUpdate: true,
    onDelete: true,
    roles: ["guide+"],
    fields: ["title"],
  },
  transitions: { state: { stored: ["shown"], shown: ["stored", "lost"] } },
  read: {
    include: [{ from: "visits.workId", as: "seen" }],
    access: {
      or: [
        { roles: ["curator+"] },
        { userRole: ["sysadmin"] },
        {
          and: [{ roles: ["guide"] }, {
            record: { worth: { lessThan: 1000 }, shelf: { greaterThanOrEqual: 0 } },
          }],
        },
      ],
    },
    pageSize: 20,
    maxPageSize: 50,
    views: {
      shelf: {
        fields: ["id", "title", "shelf", "worth"],
        access: { roles: ["curator"] },
        query: {
          filterable: ["shelf"],
          sortable: ["title"],
          searchable: ["title"],
          defaultSort: "title",
        },
        aggregations: { value: { fn: "sum", field: "worth" }, all: { fn: "count" } },
      },
    },
  },
  crud: {
    create: {
      access: { roles: ["curator+"] },
      batch: { access: { roles: ["curator+"] }, maxBatchSize: 20, allowFailFast: true },
    },
    update: {
      access: {
        roles: ["curator+"],
        record: { shelf: { lessThanOrEqual: 90, greaterThan: -1 }, state: { notIn: ["lost"] } },
      },
    },
    delete: { access: { roles: ["director"] }, mode: "soft" },
  },
});
