/** Roles that a configuration lists close the set of names; without a list a slip is told from a name (definitions 4.2). */
import { assertEquals } from "@std/assert";
import {
  analyzedProject,
  CONFIG_FILE,
  JOBS_FILE,
  type MistakeRow,
  toldOf,
} from "../../support/analysis.ts";

const COLUMNS = 'columns: { organizationId: q.scope("organization"), title: q.text() },';

/** `auth` in its place of the configuration, and a resource whose keys begin at line 3. */
function project(auth: string, resource: string, files: Readonly<Record<string, string>> = {}) {
  return analyzedProject({
    [CONFIG_FILE]: `export default { name: "s", realtime: { enabled: true }, ${auth} };\n`,
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { ${COLUMNS}
${resource}
});
`,
    ...files,
  });
}

const STANDING =
  '"owner", "admin", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager"';
const HINT = "Add it to auth.roles, or to auth.roleHierarchy at its rank";
const clerk = (place: string) =>
  `ROLE_UNKNOWN ${place} Unknown role "clerk", expected one of "editor", ${STANDING} | ${HINT}`;

/** Every place where a rule names a role, in a project that lists `editor` alone. */
const PLACES: readonly MistakeRow[] = [
  ["access", 'read: { access: { roles: ["clerk"] } },', [clerk("3:27")]],
  ["a nested rule", 'read: { access: { or: [{ and: [{ roles: ["clerk"] }] }] } },', [
    clerk("3:42"),
  ]],
  [
    "a batch",
    'create: { access: { roles: ["editor"] }, batch: { access: { roles: ["clerk"] } } },',
    [
      clerk("3:69"),
    ],
  ],
  [
    "a view",
    'read: { access: { roles: ["AUTHENTICATED"] }, views: { v: { fields: ["id"], access: { roles: ["clerk"] } } } },',
    [clerk("3:95")],
  ],
  ["a mask", 'masking: { title: { type: "redact", show: { roles: ["clerk"] } } },', [
    clerk("3:53"),
  ]],
  [
    "a mask's query",
    'masking: { title: { type: "redact", show: { roles: ["editor"] }, query: { roles: ["clerk"] } } },',
    [clerk("3:83")],
  ],
  [
    "the firewall",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "title", equals: "x", exceptRoles: ["clerk"] }],',
    [
      clerk("3:113"),
    ],
  ],
  [
    "realtime",
    'read: { access: { roles: ["AUTHENTICATED"] } }, realtime: { roles: ["clerk"] },',
    [clerk("3:69")],
  ],
];

for (const [title, source, expected] of PLACES) {
  Deno.test(`A role that auth.roles does not list is an error: ${title}`, () => {
    assertEquals(toldOf(project('auth: { roles: ["editor"] }', source).errors), expected);
  });
}

Deno.test("A role that auth.roles does not list is an error: an action, a signal", () => {
  const files = {
    "quickback/features/jobs/actions/close.ts": `import { defineAction, z } from "quickback";
export default defineAction({ description: "Closes", input: z.object({}),
  access: { roles: ["clerk"] }, execute: () => ({}) });
`,
    "quickback/services/realtime.ts": `import { defineRealtime } from "quickback";
export default defineRealtime({ desk: { rung: { keys: ["id"], audience: {
  scope: "organization", roles: ["clerk"] } } } });
`,
  };
  const { errors } = project('auth: { roles: ["editor"] }', "", files);
  assertEquals(toldOf(errors), [clerk("3:21"), clerk("3:34")]);
});

const READ_BY = (...roles: readonly string[]) =>
  `read: { access: { roles: ${JSON.stringify(roles)} } },`;

Deno.test("The near one of the listed roles is suggested", () => {
  const { errors } = project('auth: { roles: ["editor"] }', READ_BY("editro"));
  assertEquals(toldOf(errors), [
    `ROLE_UNKNOWN 3:27 Unknown role "editro", expected one of "editor", ${STANDING} | Did you mean "editor"?`,
  ]);
});

Deno.test("Listed, ranked, delegated and standing roles are known together", () => {
  const auth = `auth: { roles: ["editor"], roleHierarchy: ["viewer", "agent"],
    principals: { kiosk: { scheme: "Kiosk", verify: "services/kiosk", variants: ["hall"] } } }`;
  const { model, errors, warnings } = project(
    auth,
    READ_BY("editor", "agent+", "kiosk/hall", "owner", "sysadmin"),
    { "quickback/services/kiosk.ts": "export const verify = () => null;\n" },
  );
  assertEquals(toldOf([...errors, ...warnings]), []);
  assertEquals(model?.auth.declaredRoles, ["editor"]);
  // A listed role may be given to a member although no rule names it yet.
  assertEquals(model?.auth.roles, ["agent", "editor", "owner", "viewer"]);
});

Deno.test("An empty auth.roles leaves the roles of every project", () => {
  assertEquals(toldOf(project("auth: { roles: [] }", READ_BY("clerk")).errors), [
    `ROLE_UNKNOWN 3:27 Unknown role "clerk", expected one of ${STANDING} | ${HINT}`,
  ]);
});

Deno.test("Nothing is said of roles while auth.roles cannot be read", () => {
  for (const auth of ['auth: { roles: "editor" }', 'auth: { rolls: ["editor"] }']) {
    const codes = project(auth, READ_BY("clerk")).errors.map(({ code }) => code);
    assertEquals(codes.includes("ROLE_UNKNOWN"), false, auth);
    assertEquals(codes.length, 1, auth);
  }
});

Deno.test("A pseudo-role or a name with a comma cannot be listed", () => {
  assertEquals(toldOf(project('auth: { roles: ["PUBLIC", "a,b"] }', "").errors), [
    'ROLE_NAME 1:74 "PUBLIC" cannot be a project role | Use letters, digits, _, -, . and :, and no pseudo-role',
    'ROLE_NAME 1:84 "a,b" cannot be a project role | Use letters, digits, _, -, . and :, and no pseudo-role',
  ]);
});

Deno.test("Without a list, a name that stands once and is almost a standing role is a warning", () => {
  const { model, warnings } = project("auth: {}", READ_BY("admn", "editor"));
  assertEquals(toldOf(warnings), [
    `ROLE_SUSPECT 3:27 Role "admn" stands nowhere else and is almost "admin" | Write "admin", or list the project's roles in auth.roles`,
  ]);
  assertEquals(model?.auth.roles, ["admn", "editor"]);
});

Deno.test("Without a list, a name that stands twice is meant", () => {
  const twice = `${READ_BY("members")} create: { access: { roles: ["members"] } },`;
  assertEquals(toldOf(project("auth: {}", twice).warnings), []);
});
