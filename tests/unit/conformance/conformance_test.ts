/** A conformance run finds nothing wrong with an API that is what its definitions say, and every fault that is planted in one. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { conformanceEntries } from "../../../shared/oracle/manifest.ts";
import { mismatchText, summaryLine } from "../../../proof/conformance/report.ts";
import type { RunPlan } from "../../../proof/conformance/run_conformance.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { Database, DocsBrowser } from "../../../shared/runtime/ports.ts";
import { createSecretBox, databaseQueue, memoryPubSub } from "../../../shared/runtime/mod.ts";
import { type ApiOptions, type ApiUnderTest, AUTH_SECRET, withApi } from "../../support/api.ts";
import { CLINIC } from "../../support/clinic.ts";
import { type CompiledCode, withCompiled } from "../../support/compiled_actions.ts";
import { conformanceOf, conformancePlan } from "../../support/conformance.ts";
import { TENANT_DRIVERS } from "../../support/databases.ts";
import { FIELD } from "../../support/field_project.ts";
import type { Fault, Send } from "../../support/conformance_faults.ts";
import { manualTimer } from "../../support/realtime.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { CLINIC_FAULTS, HELPDESK_FAULTS } from "./planted_faults.ts";
import { RELATION_FAULTS } from "./planted_relations.ts";

const HELPDESK = await starter("helpdesk");
const MUSEUM = await projectFiles(new URL("../../contract/museum/", import.meta.url));

const ALLERGIES = "quickback/features/patients/allergies.ts";

/** A column with several files beside the one with one. */
const CLINIC_WITH_PHOTOS = {
  ...CLINIC,
  [ALLERGIES]: (CLINIC[ALLERGIES] ?? "")
    .replace(
      "  scan: q.file(",
      '  photos: q.file({ types: ["image/*"], multiple: true }),\n  scan: q.file(',
    )
    .replace('updatable: ["scan"]', 'updatable: ["scan", "photos"]'),
};

const CONFIG = "quickback/quickback.config.ts";

const FIELD_WITH_CHANGESETS = {
  ...FIELD,
  [CONFIG]: (FIELD[CONFIG] ?? "").replace(
    'name: "field",',
    'name: "field", contract: { changeset: true },',
  ),
};

const PROJECTS = [
  ["the helpdesk", HELPDESK, HELPDESK_FAULTS],
  ["the clinic", CLINIC_WITH_PHOTOS, CLINIC_FAULTS],
  ["work orders, whose rules follow relations", FIELD_WITH_CHANGESETS, RELATION_FAULTS],
] as const;

for (const [name, files, faults] of PROJECTS) {
  Deno.test(`conformance finds nothing wrong with ${name}, and every fault in it`, (t) =>
    withCompiled(files, ({ model, code }) =>
      withApi(model, async (api) => {
        const plan = conformancePlan(api.project);
        await t.step("nothing is wrong", () => assertConforms(api, { plan, least: 1000 }));
        await t.step("a manifest that leaves out a route", async () => {
          const entries = conformanceEntries(api.project).filter(({ method }) =>
            method !== "PATCH"
          );
          const options = { plan, entries, stopsEarly: true };
          const { mismatches: [first] } = await conformanceOf(api.project, api, options);
          assertMatch(first ? mismatchText(first) : "", /^manifest: .*\n.*PATCH/);
        });
        // Where each organization has a database, many of them change nothing: there are two locks.
        for (const fault of api.ports.tenants ? [] : faults) {
          const classes = plan.classes.map((one) =>
            fault.only === undefined || one.world.name === fault.only
              ? one
              : { ...one, rows: [], probes: [] }
          );
          await t.step(
            fault.name,
            () => assertFound(fault, { api, plan: { ...plan, classes }, code }),
          );
        }
      }, optionsOf(model, code))));
}

const CLEAN = [
  {
    name: "the starter saas",
    files: await starter("saas"),
    least: 1000,
  },
  { name: "the starter empty", files: await starter("empty"), least: 50 },
  { name: "the example field-service", files: await starter("field-service"), least: 5000 },
  {
    name: "the museum",
    files: MUSEUM,
    least: 1000,
    // Its kiosks' credentials are none that anybody has.
    unasked: [
      "the API under test takes no delegated",
      "its caller is known by a signature over the body",
    ],
  },
];

for (const { name, files, ...expected } of CLEAN) {
  Deno.test(`conformance finds nothing wrong with ${name}`, async () => {
    await withCompiled(files, ({ model, code }) =>
      withApi(
        model,
        (api) => assertConforms(api, { plan: conformancePlan(api.project), ...expected }),
        optionsOf(model, code),
      ));
  });
}

for (const driver of TENANT_DRIVERS.slice(0, 1)) {
  Deno.test(`conformance finds nothing wrong with the clinic, ${driver.name}`, () =>
    withCompiled(CLINIC, ({ model, code }) =>
      withApi(model, async (api) => {
        assert(api.ports.tenants);
        await assertConforms(api, { plan: conformancePlan(api.project), least: 1000 });
      }, { ...optionsOf(model, code), driver })));
}

function starter(name: string) {
  return projectFiles(new URL(`../../../examples/${name}/`, import.meta.url));
}

async function assertConforms(
  api: ApiUnderTest,
  { plan, least, unasked = [] }: {
    readonly plan: RunPlan;
    readonly least: number;
    /** Why else something was not asked. */
    readonly unasked?: readonly string[];
  },
): Promise<void> {
  const report = await conformanceOf(api.project, api, { plan });
  assertEquals(report.mismatches.map(mismatchText), []);
  // Without a library of accounts nobody has a session or a key.
  assertEquals(
    [...new Set(report.uncovered.map(({ reason }) => reason))].sort(),
    [
      "the API under test takes no apiKey",
      "the API under test has no account routes",
      // Nobody without an account allows a client anything.
      ...(api.project.agents.oauth ? ["the API under test takes no oauth"] : []),
      ...unasked,
    ].sort(),
  );
  assert(report.requests > least, summaryLine(report));
  for (const { sqlName } of api.project.tables) {
    const { rows } = await api.database.run({ sql: `SELECT count(*) FROM ${sqlName}`, args: [] });
    assertEquals(rows, [[0]], `Rows are left in ${sqlName}`);
  }
}

async function assertFound(
  { finds, change = (model) => model, when = () => true, between }: Fault,
  { api, plan, code }: {
    readonly api: ApiUnderTest;
    readonly plan: RunPlan;
    readonly code: CompiledCode;
  },
): Promise<void> {
  const { project, database } = api;
  const truth: Send = (request) => api.fetch(request, { clientIp: null });
  const changed = change(project);
  // Both make their ids alike.
  await database.write((transaction) =>
    transaction.run({ sql: "DELETE FROM audit_events", args: [] })
  );
  await withApi(changed, async (other) => {
    const faulty: Send = (request) => other.fetch(request, { clientIp: null });
    const send: Send = (request) =>
      changed !== project && when(request) ? faulty(request) : truth(request);
    const fetch: Send = between ? (request) => between(request, send, faulty) : send;
    const { mismatches } = await conformanceOf(project, api, { plan, fetch, stopsEarly: true });
    const [first] = mismatches;
    assert(first, "Nothing was found");
    assertMatch(mismatchText(first), finds);
  }, { ...optionsOf(changed, code), driver: sharedDatabase(database) });
}

function optionsOf(model: ProjectModel, code: CompiledCode): ApiOptions {
  return {
    actions: code,
    ...(model.openapi.docs === false ? {} : { docs: DOCS }),
    ...(model.realtime.enabled ? { realtime: realtimePorts } : {}),
    ...(model.webhooks.outbound ? { webhooks: webhookPorts } : {}),
  };
}

/** Nobody is let in with an endpoint to look up or to call. */
const webhookPorts: NonNullable<ApiOptions["webhooks"]> = (ports) => ({
  queue: databaseQueue(ports),
  secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
  resolver: { resolve: () => Promise.reject(new Error("Nothing is looked up")) },
  dialer: { post: () => Promise.reject(new Error("Nothing is sent")) },
  env: {},
});

const NO_BYTES = () => Promise.resolve(new Uint8Array());
const DOCS: DocsBrowser = { script: NO_BYTES, style: NO_BYTES };

const realtimePorts: NonNullable<ApiOptions["realtime"]> = ({ clock }) => ({
  pubSub: memoryPubSub(clock),
  timer: manualTimer(clock),
});

/** Its tables are there already, and others go on using it. */
function sharedDatabase(database: Database): NonNullable<ApiOptions["driver"]> {
  return {
    name: "embedded",
    with: (body) =>
      body({
        run: (statement) => database.run(statement),
        runAll: (statements) => database.runAll(statements),
        write: (work) => database.write(work),
        migrate: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }, null),
  };
}
