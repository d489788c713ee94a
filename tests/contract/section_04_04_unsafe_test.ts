/** `unsafe`: who may, what it reaches, and what is told of it (contract 4.4 rule 3, definitions 7). */
import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { ApiUnderTest, Claims } from "../support/api.ts";
import {
  admit,
  auditRows,
  CLERK,
  DOCTOR,
  NURSE,
  ROOT,
  STRANGER,
  withClinic,
} from "../support/clinic.ts";

const test = ofOneDatabase("ids, and the SQL of code across tenants, are of one database");

async function notes(api: ApiUnderTest): Promise<readonly unknown[]> {
  const { rows } = await api.database.run({
    sql: "SELECT note FROM patients ORDER BY organization_id",
    args: [],
  });
  return rows.map(([note]) => note);
}

const count = (api: ApiUnderTest, body: unknown, as: Claims = ROOT) =>
  api.ask("houses/count", { as, body });

test("`crossTenant` is for a sysadmin, reaches all tenants, and each attempt leaves its row", async () => {
  await withClinic(async (api) => {
    await admit(api);
    await admit(api, { ...STRANGER, roles: ["clerk"] });
    assertEquals((await count(api, {}, DOCTOR)).body["code"], "ACCESS_ROLE_REQUIRED");
    assertEquals((await api.ask("houses/count", { body: {} })).body["code"], "AUTH_MISSING");
    assertEquals((await count(api, { mode: "none" })).body["pointer"], "/mode");
    assertEquals((await count(api, {})).body, { patients: 2, by: "sysadmin" });
    assertEquals((await count(api, { organizationId: "org_b" })).body["patients"], 1);
    const unfounded = await count(api, { organizationId: "org_none" });
    assertEquals([unfounded.status, unfounded.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    const own = await count(api, { mode: "own", organizationId: "org_b" });
    assertEquals([own.status, own.body["code"]], [409, "ENOUGH"]);
    assertEquals((await count(api, { mode: "crash" })).status, 500);
    assertEquals(await notes(api), [null, null]);
    assertEquals((await count(api, { mode: "write", organizationId: "org_b" })).status, 200);
    assertEquals(await notes(api), [null, "inspected"]);
    const name = "patients.audit-houses";
    assertEquals(await auditRows(api), [
      [name, "dora", "denied", "ACCESS_ROLE_REQUIRED"],
      [name, "root", "denied", "VALIDATION_ERROR"],
      [name, "root", "success", null],
      [name, "root", "success", null],
      [name, "root", "denied", "FIREWALL_ORG_ISOLATION"],
      [name, "root", "error", "ENOUGH"],
      [name, "root", "error", "ACTION_EXECUTION_FAILED"],
      [name, "root", "success", null],
    ]);
  });
});

Deno.test("a rehearsal and a repetition of an unsafe action are told of, too", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const root: Claims = { ...ROOT, orgId: "org_a" };
    const dry = await api.ask(`patients/${id}/erase?dryRun=true`, { as: root, method: "POST" });
    assertEquals([dry.status, dry.headers.get("preference-applied")], [200, "dry-run"]);
    assertEquals(
      (await api.ask(`patients/${id}`, { as: DOCTOR })).body["email"],
      "eve.adams@example.com",
    );
    for (const _attempt of [1, 2]) {
      const { status, body } = await api.ask(`patients/${id}/erase`, {
        as: root,
        method: "POST",
        headers: { "idempotency-key": "erase-once" },
      });
      assertEquals([status, body], [200, { erased: id }]);
    }
    assertEquals((await api.ask(`patients/${id}`, { as: DOCTOR })).body["email"], null);
    assertEquals(
      (await auditRows(api)).map(([name, , result]) => [name, result]),
      Array(3).fill(["patients.erase", "success"]),
    );
  });
});

test("`adminOnly` turns away everybody else, after the firewall", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const erase = (as: Claims, of = id) =>
      api.ask(`patients/${of}/erase`, { as, method: "POST", body: {} });
    assertEquals((await erase(DOCTOR)).body["code"], "ACCESS_ROLE_REQUIRED");
    assertEquals((await erase({ ...ROOT, orgId: "org_b" })).body["code"], "FIREWALL_NOT_FOUND");
    assertEquals(
      (await erase({ ...ROOT, orgId: "org_a" }, "pat_none")).body["code"],
      "FIREWALL_NOT_FOUND",
    );
    assertEquals((await erase(ROOT)).body["code"], "ACCESS_NO_ORG");
    assertEquals((await erase({ ...ROOT, orgId: "org_a" })).body, { erased: id });
    assertEquals((await auditRows(api)).map(([, , result, code]) => [result, code]), [
      ["denied", "ACCESS_ROLE_REQUIRED"],
      ["denied", "FIREWALL_NOT_FOUND"],
      ["denied", "FIREWALL_NOT_FOUND"],
      ["denied", "ACCESS_NO_ORG"],
      ["success", null],
    ]);
  });
});

Deno.test("`scopeTo` without `crossTenant` names the own organization only", async () => {
  await withClinic(async (api) => {
    await admit(api);
    await admit(api, { ...STRANGER, roles: ["clerk"] });
    const near = (organizationId: string) =>
      api.ask("patients/near", { as: CLERK, body: { organizationId } });
    assertEquals((await near("org_a")).body, { patients: 1 });
    const refused = await near("org_b");
    assertEquals([refused.status, refused.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    assertEquals((await auditRows(api)).map(([, actor, result, code]) => [actor, result, code]), [
      ["cora", "success", null],
      ["cora", "denied", "FIREWALL_ORG_ISOLATION"],
    ]);
  });
});

Deno.test("the row of a success stands or falls with what it tells of", async () => {
  let fails = false;
  await withClinic(async (api) => {
    const id = await admit(api);
    fails = true;
    const { status } = await api.ask(`patients/${id}/erase`, {
      as: { ...ROOT, orgId: "org_a" },
      method: "POST",
    });
    fails = false;
    assertEquals(status, 500);
    const { body } = await api.ask(`patients/${id}`, { as: DOCTOR });
    assertEquals(body["email"], "eve.adams@example.com");
    assertEquals((await auditRows(api)).map(([, , result]) => result), ["error"]);
  }, {
    // The first commit of the erasure is lost, as a crash would lose it.
    wrap: (database) => ({
      ...database,
      run: (statement) => database.run(statement),
      runAll: (statements) => database.runAll(statements),
      migrate: (statements) => database.migrate(statements),
      close: () => database.close(),
      write: (body) =>
        database.write(async (transaction) => {
          const value = await body(transaction);
          if (!fails) return value;
          fails = false;
          throw new Error("The commit was lost");
        }),
    }),
  });
});

/** Record, target, result and code of each audit row. */
async function told(api: ApiUnderTest): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await api.database.run({
    sql:
      `SELECT target_record_id, target_org_id, result, error_code FROM audit_events ORDER BY rowid`,
    args: [],
  });
  return rows.map((row) => [...row]);
}

Deno.test("a bulk call leaves a row for each record, with its own end", async () => {
  await withClinic(async (api) => {
    const as: Claims = { ...ROOT, orgId: "org_a" };
    const [one, two] = [await admit(api), await admit(api)];
    const erase = (body: unknown, query = "") =>
      api.ask(`patients/batch/erase${query}`, { as, body });
    assertEquals((await erase({ ids: [one, "pat_none", two] })).status, 207);
    const ended = [
      [one, "org_a", "success", null],
      ["pat_none", "org_a", "denied", "FIREWALL_NOT_FOUND"],
      [two, "org_a", "success", null],
    ];
    assertEquals(await told(api), ended);
    assertEquals((await erase({ ids: [one, "pat_none", two] }, "?dryRun=true")).status, 207);
    assertEquals((await told(api)).slice(3), ended);
    assertEquals((await erase({ ids: ["pat_none", "pat_gone"] })).status, 207);
    assertEquals((await told(api)).slice(6), [
      ["pat_none", "org_a", "denied", "FIREWALL_NOT_FOUND"],
      ["pat_gone", "org_a", "denied", "FIREWALL_NOT_FOUND"],
    ]);
    const stopped = await erase({ ids: [one, "pat_none", two], options: { failFast: true } });
    assertEquals(stopped.status, 400);
    assertEquals((await told(api)).slice(8), [
      [one, "org_a", "denied", "BATCH_FAIL_FAST_STOPPED"],
      ["pat_none", "org_a", "denied", "FIREWALL_NOT_FOUND"],
      [two, "org_a", "denied", "BATCH_FAIL_FAST_STOPPED"],
    ]);
    const invalid = await erase({ ids: [one, two], input: 1 });
    assertEquals(invalid.status, 400);
    assertEquals((await told(api)).slice(11), [
      [one, "org_a", "denied", "VALIDATION_ERROR"],
      [two, "org_a", "denied", "VALIDATION_ERROR"],
    ]);
    const wrong = await erase({ ids: [one, 1] });
    assertEquals([wrong.status, wrong.body["code"], wrong.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/ids/1",
    ]);
    const turnedAway = await api.ask("patients/batch/erase", { as: DOCTOR, body: { ids: [one] } });
    assertEquals(turnedAway.status, 403);
    assertEquals((await told(api)).slice(13), [
      [null, "org_a", "denied", "VALIDATION_ERROR"],
      [null, "org_a", "denied", "ACCESS_ROLE_REQUIRED"],
    ]);
  });
});

test("the row of an action names each organization that it was asked for", async () => {
  await withClinic(async (api) => {
    await count(api, { organizationId: "org_b" });
    await count(api, { organizationId: "org_none" });
    await count(api, {}, { ...ROOT, orgId: "org_a" });
    await count(api, { mode: "both", organizationId: "org_b" });
    assertEquals(await told(api), [
      [null, "org_b", "success", null],
      [null, "org_none", "denied", "FIREWALL_ORG_ISOLATION"],
      [null, "org_a", "success", null],
      [null, "org_b", "success", null],
      [null, "org_a", "success", null],
    ]);
  });
});

Deno.test("unsafe operations are marked in the description", async () => {
  await withClinic(async (api) => {
    const { paths } = JSON.parse((await api.ask("/openapi.json", { as: NURSE })).text);
    const marked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(Object(methods)).some((one) => Object(one)["x-unsafe"] === true) ? [path] : []
    );
    assertEquals(marked.sort(), [
      "/api/v1/houses/count",
      "/api/v1/patients/batch/erase",
      "/api/v1/patients/near",
      "/api/v1/patients/{id}/erase",
    ]);
  });
});
