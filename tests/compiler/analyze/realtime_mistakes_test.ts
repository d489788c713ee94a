/** Realtime of resources and the registry of signals: what is right, and each mistake (contract 6.3, definitions 4, 6). */
import { assert, assertEquals } from "@std/assert";
import {
  analyzedProject,
  CONFIG_FILE,
  JOBS_FILE,
  type MistakeRow,
  toldOf,
} from "../../support/analysis.ts";

const SIGNALS_FILE = "quickback/services/realtime.ts";

const config = (rest: string) =>
  `export default { name: "sample", auth: { roleHierarchy: ["viewer", "agent", "admin"] }, ${rest} };\n`;
const ON = "realtime: { enabled: true }";

/** `source` stands on line 4. */
function withResource(source: string, read = 'read: { access: { roles: ["agent+"] } },') {
  return analyzedProject({
    [CONFIG_FILE]: config(ON),
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: { organizationId: q.scope("organization"), title: q.text(), pay: q.text(), boss: q.text() },
  ${source}
  masking: { pay: { type: "redact" }, boss: { type: "name", show: { roles: ["admin"] } } },
  ${read}
});
`,
  });
}

/** `source` stands on line 2. */
function withRegistry(source: string, rest = ON) {
  return analyzedProject({
    [CONFIG_FILE]: config(rest),
    [SIGNALS_FILE]: `import { defineRealtime } from "quickback";\n${source}\n`,
  });
}

Deno.test("realtime: true tells every change with every column; options narrow it", () => {
  const of = (source: string) => {
    const { model, errors } = withResource(source);
    assertEquals(toldOf(errors), []);
    return model?.resources.find(({ name }) => name === "jobs")?.realtime;
  };
  const whole = of("realtime: true,");
  assertEquals([whole?.onInsert, whole?.onUpdate, whole?.onDelete, whole?.roles], [
    true,
    true,
    true,
    null,
  ]);
  assertEquals(whole?.fields.slice(0, 4), ["id", "organizationId", "title", "pay"]);
  assertEquals(of('realtime: { onUpdate: false, roles: ["admin"], fields: ["boss", "title"] },'), {
    onInsert: true,
    onUpdate: false,
    onDelete: true,
    roles: ["admin"],
    fields: ["title", "boss"],
  });
  assertEquals(of("realtime: { onInsert: false, onUpdate: false, onDelete: false },"), null);
  assertEquals(of(""), null);
});

const RESOURCE_MISTAKES: readonly MistakeRow[] = [
  ["a role that may not read", 'realtime: { roles: ["viewer"] },', [
    'REALTIME_ROLE_OUTSIDE 4:23 Role "viewer" is not among the read roles of the resource: agent, admin | Add it to read.access, or remove it here',
  ]],
  ["a rank that reaches below the read roles", 'realtime: { roles: ["viewer+"] },', [
    'REALTIME_ROLE_OUTSIDE 4:23 Role "viewer" is not among the read roles of the resource: agent, admin | Add it to read.access, or remove it here',
  ]],
  ["a role that is misspelt", 'realtime: { roles: ["agnet"] },', [
    'ROLE_UNKNOWN 4:23 Unknown role "agnet", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "agent"?',
  ]],
  ["a flag that is no flag", 'realtime: { onInsert: "yes" },', [
    'VALUE_TYPE 4:25 "jobs.realtime.onInsert" is "yes", expected true or false',
  ]],
  ["an unknown column", 'realtime: { fields: ["titel"] },', [
    'COLUMN_UNKNOWN 4:24 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
];

for (const [title, source, expected] of RESOURCE_MISTAKES) {
  Deno.test(`Realtime of a resource: ${title}`, () => {
    const told = toldOf(withResource(source).errors);
    assertEquals(told, expected);
  });
}

Deno.test("realtime needs a read that it can show", () => {
  assertEquals(toldOf(withResource("realtime: true,", "").errors), [
    'REALTIME_WITHOUT_READ 4:3 Resource "jobs" has realtime, and no read | A frame shows what a read would: add read.access, or remove realtime',
  ]);
});

Deno.test("a column that no listener sees plain is a warning; so is realtime that is off", () => {
  const hidden = withResource('realtime: { roles: ["agent"], fields: ["pay", "boss", "title"] },');
  assertEquals(toldOf(hidden.warnings).map((line) => line.split(" | ")[0]), [
    'REALTIME_FIELD_HIDDEN 4:42 Column "pay" is masked in every frame',
    'REALTIME_FIELD_HIDDEN 4:49 Column "boss" is masked in every frame',
  ]);
  const { warnings } = withRegistry("export default defineRealtime({});", "");
  assertEquals(toldOf(warnings).map((line) => line.split(" | ")[0]), [
    "REALTIME_OFF 2:16 The realtime registry reaches nobody: realtime.enabled is off",
  ]);
});

Deno.test("an edge worker keeps no streams, and says so", () => {
  const runtime =
    'providers: { runtime: { name: "cloudflare" }, database: { name: "cloudflare-d1" } }';
  const { model, warnings } = analyzedProject({ [CONFIG_FILE]: config(`${ON}, ${runtime}`) });
  assertEquals(model?.realtime.enabled, false);
  assert(
    toldOf(warnings).some((line) =>
      line.includes('realtime.enabled on the runtime "cloudflare" is checked but not served')
    ),
  );
});

Deno.test("the registry says which signals there are, and whom they reach", () => {
  const { model, errors } = withRegistry(`const roles = ["admin"];
export default defineRealtime({
  jobs: {
    moved: { keys: ["id"], audience: { scope: "team", recipients: (ctx) => [ctx.userId ?? ""] } },
    changed: { keys: ["id", "title"], audience: { scope: "organization", roles } },
  },
});`);
  assertEquals(toldOf(errors), []);
  assertEquals(model?.realtime, {
    enabled: true,
    emitFromActions: false,
    push: false,
    signals: [
      {
        name: "jobs.changed",
        keys: ["id", "title"],
        scope: "organization",
        roles: ["admin"],
        hasRecipients: false,
      },
      { name: "jobs.moved", keys: ["id"], scope: "team", roles: null, hasRecipients: true },
    ],
  });
});

const signal = (variant: string) =>
  `export default defineRealtime({ jobs: { moved: ${variant} } });`;

const REGISTRY_MISTAKES: readonly MistakeRow[] = [
  ["a scope that there is not", signal('{ keys: [], audience: { scope: "organisation" } }'), [
    'VALUE_UNKNOWN 2:79 "defineRealtime.jobs.moved.audience.scope" is "organisation", expected one of "organization", "team", "user", "all" | Did you mean "organization"?',
  ]],
  ["everybody, across organizations", signal('{ keys: [], audience: { scope: "all" } }'), [
    'SIGNAL_SCOPE_EVERYONE 2:79 Scope "all" would reach every organization | Use "organization", "team" or "user"',
  ]],
  ["no audience", signal("{ keys: [] }"), [
    'KEY_MISSING 2:48 Key "audience" is missing in defineRealtime.jobs.moved',
  ]],
  ["an unknown key", signal('{ keys: [], audience: { scope: "user" }, key: 1 }'), [
    'UNKNOWN_KEY 2:89 Unknown key "key" in defineRealtime.jobs.moved | Did you mean "keys"?',
  ]],
  [
    "recipients that are no function",
    signal('{ keys: [], audience: { scope: "user", recipients: ["a"] } }'),
    [
      'VALUE_TYPE 2:99 "defineRealtime.jobs.moved.audience.recipients" is a list, expected a function',
    ],
  ],
  ["a name that no handler could call", 'export default defineRealtime({ "a-b": {} });', [
    'SIGNAL_NAME 2:33 "a-b" is no name for a binding or variant | Use letters, digits and _, a letter first',
  ]],
];

for (const [title, source, expected] of REGISTRY_MISTAKES) {
  Deno.test(`Realtime registry: ${title}`, () => {
    assertEquals(toldOf(withRegistry(source).errors), expected);
  });
}

Deno.test("a scope of organizations needs organizations", () => {
  const source = signal('{ keys: [], audience: { scope: "organization" } }');
  const { errors } = withRegistry(source, `${ON}, features: { organizations: false }`);
  assertEquals(toldOf(errors).filter((line) => line.startsWith("SIGNAL")), [
    'SIGNAL_SCOPE_ABSENT 2:79 Scope "organization" needs organizations, and the project has none | Use "user" or "all", or set features.organizations to true',
  ]);
});

Deno.test("an action that invalidates what nobody defined is told so, with what was meant", () => {
  const { errors } = analyzedProject({
    [CONFIG_FILE]: config(ON),
    [SIGNALS_FILE]: `import { defineRealtime } from "quickback";\n${
      signal('{ keys: [], audience: { scope: "user" } }')
    }\n`,
    "quickback/features/jobs/actions.ts": `import { defineActions } from "quickback";
import { z } from "zod";
export default defineActions(null, { go: {
  description: "Go", input: z.object({}), access: { roles: ["agent"] }, path: "/go",
  invalidates: ["jobs.move"],
  execute: () => ({}),
} });
`,
  });
  assertEquals(toldOf(errors), [
    'SIGNAL_UNKNOWN 5:17 The realtime registry has no "jobs.move" | Did you mean "jobs.moved"?',
  ]);
});
