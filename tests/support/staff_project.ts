/** Staff of a company: roles that have a view alone, beside those that read the resource (definitions 4.5). */
import type { Claims } from "./api.ts";

const of = (sub: string, roles: readonly string[]): Claims => ({ sub, orgId: "org_a", roles });

/** Reads people who are active, and may do everything else. */
export const MANAGER = of("mona", ["manager"]);
/** Has the payroll alone. */
export const ACCOUNTANT = of("acca", ["accountant"]);
/** Has the directory alone, without those who are hidden. */
export const MEMBER = of("meg", ["member"]);
/** Changes people and reads none. */
export const EDITOR = of("edd", ["editor"]);
export const BOTH = of("bo", ["manager", "accountant"]);

const PEOPLE = `import { feature, q } from "quickback";
import departments from "./departments.ts";
export default feature("people", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(),
    name: q.text().required(), nick: q.text(), cv: q.text(), salary: q.int().default(0),
    state: q.enum(["active", "left"]).required().default("active"),
    hidden: q.bool().required().default(false),
    departmentId: q.text().references(() => departments.id),
    taste: q.vector({ dimensions: 2 }),
    photo: q.file({ maxSize: 1000, types: ["text/plain"] }),
  },
  guards: false,
  displayColumn: "name",
  defaultSort: "-salary",
  masking: { nick: { type: "redact", show: { roles: ["manager"] } } },
  search: { mode: "fullText", fields: ["name", "nick", "cv"] },
  audit: { access: { roles: ["manager", "accountant", "member"] } },
  REALTIME
  read: {
    access: { roles: ["manager"], record: { state: "active" } },
    include: ["departmentId"],
    DEFAULT_VIEW
    views: {
      payroll: {
        fields: ["id", "name", "salary"],
        access: { roles: ["accountant", "manager"] },
        query: { filterable: ["salary"], sortable: ["salary"] },
        aggregations: { sum: { fn: "sum", field: "salary" } },
      },
      directory: {
        fields: ["id", "name", "nick", "departmentId"],
        include: ["departmentId"],
        access: { roles: ["member", "manager"], record: { hidden: false } },
      },
      teams: {
        groupBy: ["departmentId"],
        access: { roles: ["accountant"] },
        aggregations: { all: { fn: "count" } },
      },
      all: { fields: ["id", "cv"] },
    },
  },
  create: { access: { roles: ["manager"] } },
  update: { access: { roles: ["manager", "editor"] } },
  delete: { access: { roles: ["manager"] }, restore: { access: { roles: ["manager"] } } },
});
`;

const DEPARTMENTS = `import { feature, q } from "quickback";
export default feature("departments", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: false,
  read: {
    access: { roles: ["manager", "accountant"] },
    include: ["people.departmentId"],
  },
  create: { access: { roles: ["manager"] } },
});
`;

const BADGES = `import { feature, q } from "quickback";
import people from "./people.ts";
export default feature("badges", {
  columns: {
    organizationId: q.scope("organization"), color: q.text(),
    personId: q.text().references(() => people.id),
  },
  guards: false,
  read: { access: { roles: ["manager", "accountant"] }, include: ["personId"] },
  create: { access: { roles: ["manager", "accountant"] } },
});
`;

/** `defaultView` stands for the plain list of people. */
export function staff(
  { defaultView, realtime = false }: {
    readonly defaultView?: string;
    readonly realtime?: boolean;
  } = {},
): Readonly<Record<string, string>> {
  const view = defaultView === undefined ? "" : `defaultView: ${JSON.stringify(defaultView)},`;
  return {
    "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({
  name: "staff", realtime: { enabled: ${realtime} }, agents: { mcp: true }, contract: { changeset: true },
  auth: { roles: ["manager", "accountant", "member", "editor"] },
});
`,
    "quickback/features/staff/departments.ts": DEPARTMENTS,
    "quickback/features/staff/people.ts": PEOPLE.replace("DEFAULT_VIEW", view)
      .replace("REALTIME", realtime ? "realtime: true," : ""),
    "quickback/features/staff/badges.ts": BADGES,
  };
}
