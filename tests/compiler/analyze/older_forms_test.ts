/** Forms of older projects: what is taken, with which meaning, and what is told of the rest (definitions 2 to 5). */
import { assertEquals } from "@std/assert";
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
