/** Forms of older projects: what is taken, with which meaning, and what is told of the rest (definitions 2 to 5). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "smol-toml";
import { wranglerFile } from "../../../shared/compiler/platforms/wrangler_file.ts";
import {
  analyzed,
  analyzedProject,
  CONFIG_FILE,
  JOBS_FILE,
  jobsResource,
  jobsTable,
  toldOf,
  withColumns,
  withConfig,
  withResource,
} from "../../support/analysis.ts";

const TELLING = "It is passed over; remove it, or keep it for the other implementation";

Deno.test("Older forms: parts without a meaning are passed over wherever they stand", () => {
  const keys = [
    "embeddings",
    "cms",
    "fileStorage",
    "additionalQueues",
    "sideEffects",
    "securityContracts",
  ];
  for (const key of keys) {
    for (
      const [written, owner] of [[withConfig, "the configuration"], [withResource, "jobs"]] as const
    ) {
      const { errors, warnings } = written(`${key}: {},`);
      assertEquals(toldOf(errors), []);
      assertEquals(
        warnings.filter(({ code }) => code === "KEY_WITHOUT_MEANING").map(({ message, hint }) =>
          `${message} | ${hint}`
        ),
        [`Key "${key}" in ${owner} has no meaning here | ${TELLING}`],
      );
    }
  }
});

Deno.test("Older forms: the store of files is named where the API runs, whichever package names it here", () => {
  for (const module of ["quickback", "@quickback/compiler", "@quickback/types"]) {
    const { errors, warnings } = analyzedProject({
      [CONFIG_FILE]: `import { defineFileStorage } from "${module}";
export default { name: "sample", providers: { fileStorage: defineFileStorage("cloudflare-r2", {}) } };`,
    });
    assertEquals(toldOf([...errors, ...warnings]), [
      'FILE_STORAGE_SETTING 2:47 "providers.fileStorage" has no meaning here | The store is a matter of where the API runs: set STORAGE_URL there',
    ]);
  }
});

Deno.test("Older forms: limits of single account routes are told, with those that hold", () => {
  const { errors, warnings } = withConfig(
    'providers: { auth: defineAuth("better-auth", { rateLimit: { enabled: true, customRules: { "/sign-in/email": { window: 10, max: 3 } } } }) },',
  );
  assertEquals(toldOf([...errors, ...warnings]), [
    'RATE_RULES_IGNORED 3:76 "rateLimit.customRules" has no meaning here | What holds: window and max for every account route alike, and 10 wrong passwords in 60 s for an account and address',
  ]);
});

Deno.test("Older forms: features as a list of names", () => {
  const told = (features: string) =>
    toldOf(
      analyzedProject({ [CONFIG_FILE]: `export default { name: "a", features: ${features} };` })
        .errors,
    );
  assertEquals(told('["organizations"]'), []);
  const unclear =
    'FEATURES_UNCLEAR 1:39 "features" is a list without "organizations" | Write features: { organizations: false } for one tenant, { organizations: true } for many';
  assertEquals(told("[]"), [unclear]);
  assertEquals(told('["teams"]').length, 1);
  assertEquals(told('["organisations"]'), [
    'VALUE_UNKNOWN 1:40 "features" is "organisations", expected "organizations" | Did you mean "organizations"?',
  ]);
});

Deno.test("Older forms: agents as one word", () => {
  const agentsOf = (value: string) => withConfig(`agents: ${value},`).model?.agents;
  assertEquals(agentsOf("false"), { mcp: false, llmsTxt: false, robotsTxt: false });
  assertEquals(agentsOf("true"), { mcp: true, llmsTxt: true, robotsTxt: true });
  assertEquals(agentsOf("{ mcp: false }"), { mcp: false, llmsTxt: true, robotsTxt: true });
});

Deno.test("Older forms: realtime of a table by enabled and requiredRoles", () => {
  const realtimeOf = (value: string) =>
    jobsResource(
      withRealtime(`realtime: ${value}, read: { access: { roles: ["agent", "admin"] } },`),
    )
      .realtime;
  assertEquals(realtimeOf("{ enabled: false }"), null);
  assertEquals(realtimeOf('{ enabled: true, requiredRoles: ["admin"] }')?.roles, ["admin"]);
  assertEquals(realtimeOf('{ roles: ["admin"] }'), realtimeOf('{ requiredRoles: ["admin"] }'));
  const { errors } = withRealtime(
    'realtime: { roles: ["admin"], requiredRoles: ["agent"] }, read: { access: { roles: ["agent", "admin"] } },',
  );
  assertEquals(toldOf(errors), [
    'KEY_TWICE 3:104 Key "requiredRoles" repeats "roles" | Keep one of the two',
  ]);
});

function withRealtime(keys: string) {
  return analyzedProject({
    [CONFIG_FILE]:
      'export default { name: "a", realtime: { enabled: true }, auth: { roleHierarchy: ["agent", "admin"] } };',
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: { organizationId: q.scope("organization"), title: q.text() }, ${keys} });`,
  });
}

Deno.test("Older forms: a column takes the operators of .filterable(…)", () => {
  const filtersOf = (source: string) =>
    jobsTable(withColumns(`state: q.text()${source},`)).columns.find(({ name }) => name === "state")
      ?.filters;
  assertEquals(filtersOf(""), undefined);
  assertEquals(filtersOf(".filterable()"), undefined);
  assertEquals(filtersOf('.filterable("in", "eq")'), ["eq", "in"]);
  const told = (source: string) => toldOf(withColumns(source).errors);
  assertEquals(told('state: q.text().filterable("equals"),'), [
    'VALUE_UNKNOWN 4:28 "jobs.state" is "equals", expected one of "eq", "ne", "gt", "gte", "lt", "lte", "like", "ilike", "in", "nin", "null"',
  ]);
  assertEquals(told('size: q.int().filterable("like"),').length, 1);
});

Deno.test("Older forms: a view sorts beyond its fields by what all its readers see plain", () => {
  const told = (access: string, sortable: string) =>
    toldOf(
      withResource(`masking: { note: { type: "redact", show: { roles: ["admin"] } } },
read: { access: { roles: ["agent", "admin"] }, views: { short: { fields: ["id"], ${access} query: { sortable: ["${sortable}"] } } } },`)
        .errors,
    );
  assertEquals(told("", "status"), []);
  assertEquals(told('access: { roles: ["admin"] },', "note"), []);
  assertEquals(told("", "note").length, 1);
  assertEquals(told('access: { roles: ["agent"] },', "note").length, 1);
});

Deno.test("Older forms: actions that stand in an object each need a path", () => {
  const { errors, model } = analyzedProject({
    [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { organizationId: q.scope("organization") } });`,
    "quickback/features/reports/actions.ts": `import { z } from "@quickback/types";
export default { actions: {
  sum: { description: "Adds", path: "/sum", input: z.object({ of: z.array(z.number()) }), access: { roles: ["admin"] }, execute: () => ({}) },
  lost: { description: "Adds", input: z.object({}), access: { roles: ["admin"] }, execute: () => ({}) },
} };`,
  });
  assertEquals(model, null);
  assertEquals(toldOf(errors), [
    'ACTION_WITHOUT_TABLE 4:3 Action "lost" has neither a table nor a path | Give it a path, or put it into actions/<table>/',
  ]);
});

Deno.test("Older forms: settings of a worker stand in its file, and what that file says wins", () => {
  const { model } = workerOf(
    '{ compatibilityDate: "2026-02-03", observability: true, routes: ["api.example.com/*"], placement: "smart" }',
  );
  if (model === null) throw new Error("The project has errors");
  const settings = (given: string | null): Readonly<Record<string, unknown>> => {
    const file = wranglerFile(model, given);
    return JSON.parse(JSON.stringify(file.kind === "merged" ? parse(file.text) : file));
  };
  const own = settings(null);
  assertEquals(
    ["compatibility_date", "routes", "observability", "placement"].map((key) => own[key]),
    ["2026-02-03", ["api.example.com/*"], { enabled: true }, { mode: "smart" }],
  );
  const given = settings('compatibility_date = "2025-01-01"\n[observability]\nenabled = false\n');
  assertEquals(
    ["compatibility_date", "observability", "placement"].map((key) => given[key]),
    ["2025-01-01", { enabled: false }, { mode: "smart" }],
  );
});

function workerOf(options: string) {
  return analyzed({
    [CONFIG_FILE]: `import { defineRuntime } from "quickback";
export default { name: "a", providers: { runtime: defineRuntime("cloudflare", ${options}) } };`,
  });
}

Deno.test("Older forms: settings of a worker are part of the model, and of nobody else's", () => {
  assertEquals(workerOf("{}").model?.worker, undefined);
  assertEquals(
    workerOf(
      '{ compatibilityDate: "2026-02-03", observability: { enabled: true }, routes: ["api.example.com/*", { pattern: "x.example.com", customDomain: true }], placement: { mode: "smart" } }',
    ).model?.worker,
    {
      compatibilityDate: "2026-02-03",
      observability: { enabled: true },
      routes: ["api.example.com/*", { pattern: "x.example.com", custom_domain: true }],
      placement: { mode: "smart" },
    },
  );
  assertEquals(toldOf(workerOf('{ compatibilityDate: "today" }').errors).length, 1);
});

Deno.test("Older forms: a worker's settings are spelled as here or as in its own file, at every depth", () => {
  const spellings: readonly (readonly [here: string, there: string, written: object])[] = [
    [
      'routes: [{ pattern: "a.example.com", customDomain: true }]',
      'routes: [{ pattern: "a.example.com", custom_domain: true }]',
      { routes: [{ pattern: "a.example.com", custom_domain: true }] },
    ],
    [
      'routes: ["b.example.com/*", { pattern: "a.example.com/*", zoneName: "example.com" }]',
      'routes: ["b.example.com/*", { pattern: "a.example.com/*", zone_name: "example.com" }]',
      { routes: ["b.example.com/*", { pattern: "a.example.com/*", zone_name: "example.com" }] },
    ],
    [
      'routes: [{ pattern: "a.example.com/*", zoneId: "z1" }]',
      'routes: [{ pattern: "a.example.com/*", zone_id: "z1" }]',
      { routes: [{ pattern: "a.example.com/*", zone_id: "z1" }] },
    ],
    [
      "observability: { enabled: true, headSamplingRate: 0.25 }",
      "observability: { enabled: true, head_sampling_rate: 0.25 }",
      { observability: { enabled: true, head_sampling_rate: 0.25 } },
    ],
    [
      'observability: { logs: { enabled: true, invocationLogs: false, headSamplingRate: 1, persist: true, destinations: ["a"] } }',
      'observability: { logs: { enabled: true, invocation_logs: false, head_sampling_rate: 1, persist: true, destinations: ["a"] } }',
      {
        observability: {
          logs: {
            enabled: true,
            head_sampling_rate: 1,
            persist: true,
            destinations: ["a"],
            invocation_logs: false,
          },
        },
      },
    ],
    [
      "observability: { enabled: false, traces: { headSamplingRate: 0 } }",
      "observability: { enabled: false, traces: { head_sampling_rate: 0 } }",
      { observability: { enabled: false, traces: { head_sampling_rate: 0 } } },
    ],
    ["observability: {}", "observability: true", { observability: { enabled: true } }],
    ["observability: false", "observability: { enabled: false }", {
      observability: { enabled: false },
    }],
    ['placement: "smart"', 'placement: { mode: "smart" }', { placement: { mode: "smart" } }],
    ['placement: "off"', 'placement: { mode: "off" }', { placement: { mode: "off" } }],
    [
      'placement: { mode: "smart", hint: "wnam" }',
      'placement: { hint: "wnam", mode: "smart" }',
      { placement: { mode: "smart", hint: "wnam" } },
    ],
    [
      'compatibilityDate: "2026-02-03"',
      'compatibility_date: "2026-02-03"',
      { compatibility_date: "2026-02-03" },
    ],
  ];
  for (const [here, there, written] of spellings) {
    for (const options of [here, there]) {
      const { model, errors } = workerOf(`{ ${options} }`);
      assertEquals(toldOf(errors), [], options);
      const file = model && wranglerFile(model, null);
      const text = file?.kind === "merged" ? file.text : "";
      const settings: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(parse(text)));
      const said = Object.keys(written).map((key) => [key, settings[key]]);
      assertEquals(Object.fromEntries(said), written, options);
    }
  }
});

/** Where the options of `workerOf` begin in its line. */
const OPTIONS_COLUMN =
  'export default { name: "a", providers: { runtime: defineRuntime("cloudflare", { '.length + 1;

Deno.test("Older forms: what a worker's settings cannot be is told at its place, with the way out", () => {
  const told = (options: string) =>
    workerOf(`{ ${options} }`).errors.map(({ code, place, message, hint }) => {
      const at = `${options} }`.slice(place.column - OPTIONS_COLUMN).split(/[ ,:}]/)[0];
      return `${code} ${at} ${message}${hint === null ? "" : ` | ${hint}`}`;
    });
  const elsewhere = "Write it into wrangler.toml at the root: it is taken over";
  const rows: readonly (readonly [options: string, told: readonly string[]])[] = [
    ['routes: [{ pattern: "a", customDomain: true, custom_domain: false }]', [
      'KEY_TWICE custom_domain Key "custom_domain" repeats "customDomain" | Keep one of the two',
    ]],
    ["routes: [{ custom_domain: true }]", [
      'KEY_MISSING { Key "pattern" is missing in providers.runtime.routes[0]',
    ]],
    ['routes: [{ pattern: "a", custom_domain: "yes" }]', [
      'VALUE_TYPE "yes" "providers.runtime.routes[0].customDomain" is "yes", expected true or false',
    ]],
    ['routes: [{ pattern: "a", ZoneName: "b" }]', [
      'UNKNOWN_KEY ZoneName Unknown key "ZoneName" in providers.runtime.routes[0] | Did you mean "zoneName"?',
    ]],
    ["observability: { head_sampling_rate: 1.5 }", [
      'VALUE_INVALID 1.5 "providers.runtime.observability.headSamplingRate" is 1.5, expected a number from 0 to 1',
    ]],
    ["observability: { logs: { colour: true } }", [
      `UNKNOWN_KEY colour Unknown key "colour" in providers.runtime.observability.logs | ${elsewhere}`,
    ]],
    ['placement: { mode: "fast" }', [
      'VALUE_UNKNOWN "fast" "providers.runtime.placement.mode" is "fast", expected one of "smart", "off"',
    ]],
    ['placement: { mode: "targeted", region: "aws:us-east-1" }', [
      `VALUE_UNKNOWN "targeted" "providers.runtime.placement.mode" is "targeted", expected one of "smart", "off" | ${elsewhere}`,
      `UNKNOWN_KEY region Unknown key "region" in providers.runtime.placement | ${elsewhere}`,
    ]],
    ['placement: { hint: "wnam" }', [
      'KEY_MISSING { Key "mode" is missing in providers.runtime.placement',
    ]],
    ["limits: { cpu_ms: 50 }", [
      `UNKNOWN_KEY limits Unknown key "limits" in providers.runtime | ${elsewhere}`,
    ]],
    ['compatibility_flags: ["nodejs_compat"]', [
      `UNKNOWN_KEY compatibility_flags Unknown key "compatibility_flags" in providers.runtime | ${elsewhere}`,
    ]],
    ['route: "a/*"', [
      'UNKNOWN_KEY route Unknown key "route" in providers.runtime | Write routes: ["api.example.com/*"]',
    ]],
  ];
  for (const [options, expected] of rows) assertEquals(told(options), expected, options);
});

Deno.test("Older forms: a scope over a column of another name says how to name it", () => {
  const rows: readonly (readonly [scope: string, column: string, usual: string])[] = [
    ["owner", "userId", "ownerId"],
    ["owner", "user_id", "ownerId"],
    ["owner", "authorId", "ownerId"],
    ["owner", "createdByUserId", "ownerId"],
    ["organization", "orgId", "organizationId"],
    ["organization", "tenant_id", "organizationId"],
    ["team", "groupId", "teamId"],
  ];
  for (const [scope, column, usual] of rows) {
    const told = (firewall: string, name = column) =>
      toldOf(
        analyzedProject({
          [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ${name}: q.text().required() }, firewall: ${firewall} });`,
        }).errors,
      ).map((text) => text.replace(/ \d+:\d+ /, " "));
    const lost = `COLUMN_UNKNOWN Unknown column "${usual}" of table "jobs"`;
    const rename = `rename the column: ${usual}: q.scope("${scope}")`;
    assertEquals(told(`{ ${scope}: {} }`), [
      `${lost} | Write ${scope}: { column: "${column}" }, or ${rename}`,
    ]);
    assertEquals(told(`{ ${scope}: { column: "${column}" } }`), []);
    assertEquals(told(`{ ${scope}: {} }`, "note"), [
      `${lost} | Add the column ${usual}: q.scope("${scope}"), or name another: ${scope}: { column: "…" }`,
    ]);
  }
});

Deno.test("Older forms: a function in a rule is told which data to write", () => {
  const ways: Readonly<Record<string, RegExp>> = {
    access: /^Write the rule as data: access: \{ roles: \["member"\]/,
    roles: /^Write the names: roles: \[/,
    record: /^Write columns with values: record: \{/,
    firewall: /^Write predicates: firewall: \[\{ field/,
    masking: /^Write the mask by its name: masking: \{/,
    guards: /^Write the columns: guards: \{/,
  };
  const places: readonly (readonly [rule: string, options: (written: string) => string])[] = [
    ["access", (f) => `read: { access: ${f} }`],
    ["access", (f) => `create: { access: ${f} }`],
    ["access", (f) => `delete: { access: ${f} }`],
    ["access", (f) => `read: { access: { or: [${f}] } }`],
    ["access", (f) => `read: { access: { and: [{ roles: ["agent"] }, ${f}] } }`],
    ["access", (f) => `read: { access: { userRole: ${f} } }`],
    [
      "access",
      (f) =>
        `read: { access: { roles: ["agent"] }, views: { v: { fields: ["id"], access: ${f} } } }`,
    ],
    ["roles", (f) => `read: { access: { roles: ${f} } }`],
    ["roles", (f) => `read: { access: { roles: [${f}] } }`],
    ["roles", (f) => `masking: { note: { type: "redact", show: { roles: ${f} } } }`],
    [
      "roles",
      (f) => `firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", roles: ${f} }]`,
    ],
    ["record", (f) => `update: { access: { record: ${f} } }`],
    ["record", (f) => `update: { access: { record: { note: ${f} } } }`],
    ["record", (f) => `update: { access: { record: { note: { in: ${f} } } } }`],
    ["firewall", (f) => `firewall: ${f}`],
    ["firewall", (f) => `firewall: [${f}]`],
    ["firewall", (f) => `firewall: [{ field: "note", equals: ${f} }]`],
    ["firewall", (f) => `firewall: { organization: ${f} }`],
    ["masking", (f) => `masking: ${f}`],
    ["masking", (f) => `masking: { note: ${f} }`],
    ["masking", (f) => `masking: { note: { type: ${f} } }`],
    ["masking", (f) => `masking: { note: { type: "redact", show: ${f} } }`],
    ["guards", (f) => `guards: ${f}`],
    ["guards", (f) => `guards: { createable: ${f} }`],
  ];
  const functions = [
    "() => true",
    "(ctx) => ctx.userId",
    "async (ctx) => true",
    "function (ctx) { return true; }",
    "named",
    "imported",
  ];
  for (const [rule, options] of places) {
    for (const written of functions) {
      const { errors } = analyzedProject({
        "quickback/lib/rules.ts": "export const imported = (ctx: unknown) => ctx !== null;",
        [JOBS_FILE]: `import { feature, q } from "quickback";
import { imported } from "../../lib/rules.ts";
const named = (ctx: unknown) => ctx !== null;
export default feature("jobs", { columns: { organizationId: q.scope("organization"), note: q.text() },
${options(written)} });`,
      });
      const [told, ...more] = errors.filter(({ code }) => code === "VALUE_TYPE");
      assertEquals(more, [], options(written));
      // A named function is shown where it is declared.
      const lines = written === "named" ? [3, 5] : [5];
      const isImported = written === "imported";
      assert(isImported || lines.includes(told?.place.line ?? 0), options(written));
      assertMatch(told?.hint ?? "", ways[rule] ?? /^$/, options(written));
    }
  }
});
