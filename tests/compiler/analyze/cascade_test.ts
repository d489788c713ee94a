/** A delete that cannot reach all that refers to its row is a warning that says what can be left behind (contract 3.1). */
import { assertEquals } from "@std/assert";
import { analyzed, CONFIG_FILE, toldOf } from "../../support/analysis.ts";

const ORGANIZATION = 'organizationId: q.scope("organization")';
const OWNER = 'ownerId: q.scope("owner")';
const DELETE = 'delete: { access: { roles: ["admin"] } }';
const KEY = "parentId: q.text().references(() => parents.id)";

const STATE = "state: q.text()";
const BOUND = '{ field: "organizationId", equals: "ctx.activeOrgId" }';
const boundFor = (roles: readonly string[]) =>
  roles.length === 0 ? "" : `, roles: ${JSON.stringify(roles)}`;
const OPEN = (...roles: string[]) => `{ field: "state", in: ["open", "new"]${boundFor(roles)} }`;
const OWN = (...roles: string[]) => `{ field: "ownerId", equals: "ctx.userId"${boundFor(roles)} }`;

const WAYS_IN =
  `firewall: [${BOUND}, { anyOf: [{ roles: ["agent+"] }, { field: "ownerId", equals: "ctx.userId" }] }]`;

interface Case {
  /** Columns, and the keys behind them. */
  readonly parent: readonly [columns: string, keys?: string];
  readonly child: readonly [columns: string, keys?: string];
  /** What the delete reaches; null: all. */
  readonly only: string | null;
}

const CASES: Readonly<Record<string, Case>> = {
  "the same scope reaches all": {
    parent: [ORGANIZATION, DELETE],
    child: [`${ORGANIZATION}, ${KEY}`],
    only: null,
  },
  "an owner's rows beneath an organization's": {
    parent: [ORGANIZATION, DELETE],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`],
    only: "ownerId equals ctx.userId",
  },
  "an organization's rows beneath everybody's": {
    parent: ["name: q.text()", `firewall: { exception: true }, ${DELETE}`],
    child: [`${ORGANIZATION}, ${KEY}`],
    only: "organizationId equals ctx.activeOrgId",
  },
  "a predicate of the child's own": {
    parent: [ORGANIZATION, DELETE],
    child: [
      `${ORGANIZATION}, state: q.text(), ${KEY}`,
      'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "state", in: ["open", "new"] }]',
    ],
    only: 'state in ["open","new"]',
  },
  "an owner who is only compared is another one": {
    parent: [
      `${ORGANIZATION}, assigneeId: q.text()`,
      `firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "assigneeId", equals: "ctx.userId", roles: ["agent"] }], ${DELETE}`,
    ],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`],
    only: "ownerId equals ctx.userId",
  },
  "owners who are excepted are not left behind by them": {
    parent: [ORGANIZATION, DELETE],
    child: [
      `${ORGANIZATION}, ${OWNER}, ${KEY}`,
      'firewall: { organization: {}, owner: { mode: "optional" } }',
    ],
    only: null,
  },
  "a batch that others may send leaves them behind": {
    parent: [
      ORGANIZATION,
      'delete: { access: { roles: ["admin"] }, batch: { access: { roles: ["agent"] } } }',
    ],
    child: [
      `${ORGANIZATION}, ${OWNER}, ${KEY}`,
      'firewall: { organization: {}, owner: { mode: "optional" } }',
    ],
    only: "ownerId equals ctx.userId for all but admin and owner",
  },
  "a predicate of some roles names them": {
    parent: [ORGANIZATION, DELETE],
    child: [
      `${ORGANIZATION}, ${OWNER}, ${KEY}`,
      'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "ownerId", equals: "ctx.userId", roles: ["agent", "admin"], exceptRoles: ["guest"] }]',
    ],
    only: "ownerId equals ctx.userId for agent and admin but guest",
  },
  "predicates that are equal": {
    parent: [
      `${ORGANIZATION}, ${STATE}`,
      `firewall: [${BOUND}, ${OPEN("admin", "agent")}], ${DELETE}`,
    ],
    child: [`${ORGANIZATION}, ${STATE}, ${KEY}`, `firewall: [${BOUND}, ${OPEN("agent", "admin")}]`],
    only: null,
  },
  "a predicate that the parent asks of more callers": {
    parent: [`${ORGANIZATION}, ${STATE}`, `firewall: [${BOUND}, ${OPEN()}], ${DELETE}`],
    child: [`${ORGANIZATION}, ${STATE}, ${KEY}`, `firewall: [${BOUND}, ${OPEN("agent")}]`],
    only: null,
  },
  "a predicate that the parent asks of fewer callers": {
    parent: [`${ORGANIZATION}, ${STATE}`, `firewall: [${BOUND}, ${OPEN("agent")}], ${DELETE}`],
    child: [`${ORGANIZATION}, ${STATE}, ${KEY}`, `firewall: [${BOUND}, ${OPEN()}]`],
    only: 'state in ["open","new"]',
  },
  "owners of the same roles in another order": {
    parent: [
      `${ORGANIZATION}, ${OWNER}`,
      `firewall: [${BOUND}, ${OWN("agent", "guest")}], ${DELETE}`,
    ],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`, `firewall: [${BOUND}, ${OWN("guest", "agent")}]`],
    only: null,
  },
  "a reference that would be cleared": {
    parent: [ORGANIZATION, DELETE],
    child: [
      `${ORGANIZATION}, ${OWNER}, ${KEY.replace(".id)", '.id, { onDelete: "set null" })')}`,
      'delete: { access: { roles: ["admin"] }, mode: "hard" }',
    ],
    only: "ownerId equals ctx.userId",
  },
  "rows that no stamp reaches are not asked for": {
    parent: [ORGANIZATION, DELETE],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`, DELETE.replace(" } }", ' }, mode: "hard" }')],
    only: null,
  },
  "a way in that every deleter has": {
    parent: [ORGANIZATION, 'delete: { access: { roles: ["agent+"], record: { id: "p1" } } }'],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`, WAYS_IN],
    only: null,
  },
  "a way in that some deleter has not": {
    parent: [ORGANIZATION, 'delete: { access: { roles: ["guest", "admin"] } }'],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`, WAYS_IN],
    only: "the caller is agent or admin or ownerId equals ctx.userId",
  },
  "a deleter by the record alone has no role": {
    parent: [ORGANIZATION, 'delete: { access: { record: { id: "p1" } } }'],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`, WAYS_IN],
    only: "the caller is agent or admin or ownerId equals ctx.userId",
  },
  "rows that nobody deletes leave nothing behind": {
    parent: [ORGANIZATION],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`],
    only: null,
  },
  "rows that are removed for good": {
    parent: [ORGANIZATION, DELETE.replace(" } }", ' }, mode: "hard" }')],
    child: [`${ORGANIZATION}, ${OWNER}, ${KEY}`],
    only: null,
  },
};

function file(name: string, [columns, keys = ""]: readonly [string, string?]): string {
  const imported = name === "children" ? 'import parents from "../parents/parents";' : "";
  return `import { feature, q } from "quickback"; ${imported}
export default feature("${name}", { columns: { ${columns} }, guards: false, read: { access: { roles: ["admin"] } }, ${keys} });
`;
}

for (const [title, { parent, child, only }] of Object.entries(CASES)) {
  Deno.test(`a cascade: ${title}`, () => {
    const { errors, warnings } = analyzed({
      [CONFIG_FILE]:
        'export default { name: "s", auth: { roleHierarchy: ["guest", "agent", "admin"] } };\n',
      "quickback/features/parents/parents.ts": file("parents", parent),
      "quickback/features/children/children.ts": file("children", child),
    });
    assertEquals(toldOf(errors), []);
    assertEquals(
      warnings.filter(({ code }) => code === "CASCADE_NARROWER")
        .map(({ code, message, hint }) => `${code} ${message} | ${hint}`),
      only === null ? [] : [
        `CASCADE_NARROWER Deleting a row of "parents" leaves those rows of "children" behind that its caller may not touch: it reaches only where ${only} | ` +
        'Give both the same scope, or delete what is left of "children" in an action of "parents"',
      ],
    );
  });
}

Deno.test("restrict beneath a soft delete is a warning, but where living rows keep the row", () => {
  const warned = (removal: string, rule = 'onDelete: "restrict"') => {
    const { warnings } = analyzed({
      [CONFIG_FILE]: 'export default { name: "restricted" };',
      "quickback/features/parents/parents.ts": `import { feature, q } from "quickback";
export default feature("parents", {
  columns: { ${ORGANIZATION} }, guards: { createable: [] }, ${removal}
});`,
      "quickback/features/children/children.ts": `import { feature, q } from "quickback";
import parents from "../parents/parents.ts";
export default feature("children", {
  columns: { ${ORGANIZATION}, parentId: q.text().references(() => parents.id, { ${rule} }) },
  guards: { createable: [] }, create: { access: { roles: ["admin"] } },
});`,
    });
    return warnings.filter(({ code }) => code === "RESTRICT_SOFT").map(({ message, hint }) =>
      `${message} | ${hint}`
    );
  };
  assertEquals(warned(`${DELETE},`), [
    'A soft delete of a row of "parents" deletes the rows along with it that "parentId" refers from | ' +
    'Write delete: { children: "refuse" } in "parents", so that living rows keep it, or leave the onDelete out',
  ]);
  const removals = [
    'delete: { access: { roles: ["admin"] }, children: "refuse" },',
    'delete: { access: { roles: ["admin"] }, mode: "hard" },',
    "",
  ];
  for (const removal of removals) assertEquals(warned(removal), [], removal);
  for (const rule of ['onDelete: "cascade"', 'onDelete: "no action"', ""]) {
    assertEquals(warned(`${DELETE},`, rule), [], rule);
  }
});
