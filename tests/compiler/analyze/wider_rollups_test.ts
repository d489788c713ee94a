/** A total is a warning where somebody sees it who does not see all of the rows that it counts (definitions 3). */
import { assertEquals } from "@std/assert";
import { analyzed, CONFIG_FILE, toldOf } from "../../support/analysis.ts";

const WAYS_IN = `firewall: [
  { field: "organizationId", equals: "ctx.activeOrgId" },
  { anyOf: [{ roles: ["agent+"] }, { field: "ownerId", equals: "ctx.userId" }] },
]`;

interface Case {
  /** Keys of the parent, whose column `value` counts the children. */
  readonly parent: string;
  readonly child?: string;
  readonly isWider: boolean;
}

const READ = (roles: string, views = "") => `read: { access: { roles: [${roles}] }, ${views} }`;
const MASK = (show: string) => `masking: { value: { type: "redact", show: { ${show} } } }`;

const CASES: Readonly<Record<string, Case>> = {
  "everybody who reads it reaches all": { parent: READ('"agent+"'), isWider: false },
  "somebody who reads it does not": { parent: READ('"guest+"'), isWider: true },
  "only those see it who reach all": {
    parent: `${READ('"guest+"')}, ${MASK('roles: ["admin"]')}`,
    isWider: false,
  },
  "somebody sees it on a row of theirs": {
    parent: `${READ('"guest+"')}, ${MASK('roles: ["admin"], or: "owner"')}`,
    isWider: true,
  },
  "somebody may ask by it": {
    parent: `${
      READ('"guest+"')
    }, masking: { value: { type: "redact", query: { roles: ["guest"] } } }`,
    isWider: true,
  },
  "a role is named beside a record": {
    parent: 'read: { access: { roles: ["agent"], record: { id: "p1" } } }',
    isWider: false,
  },
  "a record alone lets readers in": {
    parent: 'read: { access: { or: [{ roles: ["agent"] }, { record: { id: "p1" } }] } }',
    isWider: true,
  },
  "handlers alone read it": { parent: "", isWider: true },
  "the children are reached where their parent is": {
    parent: READ('"guest+"'),
    child: 'firewall: [{ through: "parent" }]',
    isWider: false,
  },
};

for (const [title, { parent, child = WAYS_IN, isWider }] of Object.entries(CASES)) {
  Deno.test(`a total: ${title}`, () => {
    const { errors, warnings } = analyzed({
      [CONFIG_FILE]:
        'export default { name: "s", auth: { roleHierarchy: ["guest", "agent", "admin"] } };\n',
      "quickback/features/parents/parents.ts": `import { feature, q } from "quickback";
export default feature("parents", {
  columns: {
    organizationId: q.scope("organization"),
    value: q.rollup("children.parentId", { count: true }),
  },
  guards: false, ${parent}
});
`,
      "quickback/features/children/children.ts": `import { feature, q } from "quickback";
import parents from "../parents/parents";
export default feature("children", {
  columns: {
    organizationId: q.scope("organization"),
    ownerId: q.text(),
    parentId: q.text().required().references(() => parents.id),
  },
  guards: false, read: { access: { roles: ["guest"] } }, ${child}
});
`,
    });
    assertEquals(toldOf(errors), []);
    assertEquals(warnings.some(({ code }) => code === "ROLLUP_WIDER"), isWider);
  });
}
