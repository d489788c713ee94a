/** A PUBLIC action finds its tenant by a random text in its input (definitions 5, `tenantOf`). */
import { assert, assertEquals } from "@std/assert";
import { openApiDocument, validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { actionCodesOf, actionOperationsOf } from "../../shared/surface/action_operations.ts";
import { type ApiUnderTest, type Ask, type Claims, isRecord, withApi } from "../support/api.ts";
import { type Compiled, withCompiled } from "../support/compiled_actions.ts";
import { conformanceOf } from "../support/conformance.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { ofOneDatabase } from "../support/databases.ts";
import { bearing, connected } from "../support/mcp_client.ts";
import {
  ACTIONS_FILE,
  CONFIG_FILE,
  ORDERS_FILE,
  RECORD_FILE,
  TRACK,
} from "../support/track_project.ts";

const test = ofOneDatabase("the project cannot be asked of many");

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { sub: "eve", orgId: "org_b", roles: ["member"] };
const ROOT: Claims = { sub: "root", userRole: "sysadmin" };
const CALLERS: readonly (Claims | undefined)[] = [undefined, ANN, EVE, ROOT];

interface Order {
  readonly id: string;
  readonly code: string;
}

async function order(api: ApiUnderTest, title: string, as: Claims): Promise<Order> {
  const { status, body, text } = await api.ask("orders", { as, body: { title } });
  assertEquals(status, 201, text);
  return { id: String(body["id"]), code: String(body["code"]) };
}

function tracking(
  body: (api: ApiUnderTest, of: { readonly a: Order; readonly b: Order }) => Promise<void>,
): Promise<void> {
  return withCompiled(TRACK, ({ model, code }: Compiled) =>
    withApi(model, async (api) => {
      await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
      await body(api, { a: await order(api, "A", ANN), b: await order(api, "B", EVE) });
    }, { actions: code }));
}

const as = (caller: Claims | undefined): Ask => caller ? { as: caller } : {};

async function rows(api: ApiUnderTest, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await api.database.run({ sql, args: [] })).rows;
}

test("the text names the tenant, and its caller is nobody there, whoever it is", () =>
  tracking(async (api, { a, b }) => {
    for (const caller of CALLERS) {
      const { status, body, text } = await api.ask(`follow/${a.code}`, as(caller));
      assertEquals(status, 200, text);
      assertEquals(body["titles"], ["A"]);
      assertEquals(body["elsewhere"], []);
      const { ctx } = body;
      assert(isRecord(ctx));
      assertEquals([ctx["userId"], ctx["activeOrgId"], ctx["roles"]], [null, "org_a", []]);
      assertEquals((await api.ask(`follow/${b.code}`, as(caller))).body["titles"], ["B"]);
    }
  }));

test("an unknown text, a deleted row and a deleted organization are refused alike", () =>
  tracking(async (api, { a, b }) => {
    const gone = await order(api, "Gone", ANN);
    assertEquals((await api.ask(`orders/${gone.id}`, { method: "DELETE", as: ANN })).status, 200);
    // Two rows with one text name no tenant.
    const twice = await order(api, "Twice", EVE);
    const shared = await order(api, "Shared", ANN);
    await api.database.write((transaction) =>
      transaction.run({
        sql: "UPDATE orders SET code = ? WHERE id = ?",
        args: [shared.code, twice.id],
      })
    );
    const { code: short } = (await api.ask(`orders/${a.id}`, { as: ANN })).body;
    assertEquals(short, a.code);
    const texts: string[] = [];
    for (const caller of CALLERS) {
      for (const code of ["x".repeat(22), gone.code, shared.code, a.id, "' OR 1=1 --", "%25"]) {
        const answer = await api.ask(`follow/${encodeURIComponent(code)}`, as(caller));
        assertEquals([answer.status, answer.body["code"]], [403, "FIREWALL_NOT_FOUND"], code);
        const { request: _r, instance: _i, ...told } = answer.body;
        texts.push(JSON.stringify(told));
      }
    }
    await api.database.write((transaction) =>
      transaction.run({
        sql: `INSERT INTO organization_purges (id, organization_id, status, created_at)
          VALUES ('p', 'org_b', 'running', '2026-01-01T00:00:00.000Z')`,
        args: [],
      })
    );
    assertEquals(new Set(texts).size, 1, texts.join("\n"));
    const answer = await api.ask(`follow/${b.code}`);
    assertEquals([answer.status, answer.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    assertEquals((await api.ask(`follow/${a.code}`)).status, 200);
  }));

test("an organization beside it is 400, and so is what is no text", () =>
  tracking(async (api, { a }) => {
    for (const caller of CALLERS) {
      for (const id of ["org_a", "org_b", ""]) {
        const { status, body } = await api.ask(`follow/${a.code}?organizationId=${id}`, as(caller));
        assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"]);
      }
    }
    const { status, body } = await api.ask("follow", { body: { code: 1, title: "T" } });
    assertEquals([status, body["pointer"]], [400, "/code"]);
    const named = await api.ask("follow?organizationId=org_a", {
      body: { code: a.code, title: "T" },
    });
    assertEquals(named.status, 400);
  }));

test("what is written is the tenant's, by nobody, under a key too", () =>
  tracking(async (api, { a }) => {
    const add = (title: string, ask: Ask = {}) =>
      api.ask("follow", { body: { code: a.code, title }, ...ask });
    const headers = { "idempotency-key": "one" };
    const made = await add("Made", { as: EVE });
    const keyed = await add("Keyed", { as: EVE, headers });
    const again = await add("Keyed", { as: EVE, headers });
    assertEquals([made.status, keyed.status, again.status], [200, 200, 200], made.text);
    assertEquals(again.text, keyed.text);
    const other = await add("Other", { as: EVE, headers });
    assertEquals(other.body["code"], "IDEMPOTENCY_KEY_REUSED");
    assertEquals(
      await rows(
        api,
        "SELECT title, organization_id, created_by FROM orders WHERE title IN ('Made', 'Keyed') ORDER BY title",
      ),
      [["Keyed", "org_a", null], ["Made", "org_a", null]],
    );
    const history = await api.ask(`orders/${made.body["id"]}/history`, { as: ANN });
    assertEquals(history.status, 200, history.text);
    assert(!history.text.includes("eve"), history.text);
    // A rehearsal leaves nothing.
    assertEquals(
      (await api.ask("follow?dryRun=true", { body: { code: a.code, title: "Dry" } })).status,
      200,
    );
    assertEquals(await rows(api, "SELECT id FROM orders WHERE title = 'Dry'"), []);
  }));

test("every call leaves a row of the audit, with the tenant that it found and whoever called", () =>
  tracking(async (api, { a }) => {
    await api.ask(`follow/${a.code}`);
    await api.ask(`follow/${a.code}`, { as: EVE });
    await api.ask("follow/unknown", { as: EVE });
    await api.ask(`follow/${a.code}?organizationId=org_b`);
    assertEquals(
      await rows(
        api,
        `SELECT action_name, actor_user_id, target_org_id, result, error_code FROM audit_events
          WHERE action_name IS NOT NULL ORDER BY rowid`,
      ),
      [
        ["shop.follow", null, "org_a", "success", null],
        ["shop.follow", "eve", "org_a", "success", null],
        ["shop.follow", "eve", null, "denied", "FIREWALL_NOT_FOUND"],
        ["shop.follow", null, null, "denied", "VALIDATION_INVALID_INPUT"],
      ],
    );
  }));

test("no changeset holds it, and its tool needs no organization", () =>
  tracking(async (api, { a }) => {
    const { status, text } = await api.ask("changeset", {
      as: EVE,
      body: {
        operations: [{ op: "action", resource: "orders", action: "count", data: { code: a.code } }],
      },
    });
    assertEquals(status, 400, text);
    assert(text.includes("finds its tenant by itself"), text);
    const { client } = await connected(api, await bearing(ROOT));
    const { isError, content } = await client.callTool({
      name: "follow",
      arguments: { code: a.code },
    });
    assertEquals(isError === true, false, JSON.stringify(content));
    assert(JSON.stringify(content).includes("org_a"));
  }));

function modelOf(files: Readonly<Record<string, string>>): ProjectModel {
  const validation = validate(files);
  assert(validation.ok, JSON.stringify(validation));
  return validation.model;
}

test("the description has no organization, and the column an index over all tenants", () => {
  const model = modelOf(TRACK);
  const { paths } = openApiDocument(model);
  const text = JSON.stringify(isRecord(paths) ? paths["/api/v1/follow/{code}"] : null);
  assert(text.includes("runShop_Follow") && !text.includes("organizationId"), text);
  const codes = actionOperationsOf(model).map((one) => actionCodesOf(one, model));
  assert(codes.every((known) => known.includes("FIREWALL_NOT_FOUND")));
  assert(codes.every((known) => !known.includes("ORG_REQUIRED")));
  const indexes = model.tables.find(({ name }) => name === "orders")?.indexes ?? [];
  assert(indexes.some(({ columns, unique }) => columns.join() === "code" && !unique));
});

test("conformance names every row, and finds an API that takes another text for the tenant's", () =>
  withCompiled(TRACK, async ({ model, code }) => {
    await withApi(model, async (api) => {
      assertEquals((await conformanceOf(model, api)).mismatches, []);
    }, { actions: code });
    const wrong = {
      ...model,
      actions: model.actions.map((action) =>
        action.tenantOf ? { ...action, tenantOf: { ...action.tenantOf, column: "title" } } : action
      ),
    };
    await withApi(wrong, async (api) => {
      const { mismatches } = await conformanceOf(model, api, { stopsEarly: true });
      assert(mismatches.length > 0);
    }, { actions: code });
  }));

const MISTAKES: readonly (readonly [code: string, file: string, from: string, to: string])[] = [
  ["TENANT_OF_RECORD", RECORD_FILE, 'path: "./all", ', ""],
  ["TENANT_OF_ACCESS", ACTIONS_FILE, 'roles: ["PUBLIC"]', 'roles: ["member"]'],
  ["TENANT_OF_ACCESS", ACTIONS_FILE, 'roles: ["PUBLIC"]', 'roles: ["PUBLIC", "member"]'],
  [
    "TENANT_OF_ACCESS",
    ACTIONS_FILE,
    'access: { roles: ["PUBLIC"] }',
    'access: { or: [{ roles: ["PUBLIC"] }, { userRole: ["sysadmin"] }] }',
  ],
  ["TENANT_OF_UNSAFE", ACTIONS_FILE, "tenantOf: {", 'unsafe: { reason: "r" }, tenantOf: {'],
  [
    "TENANT_OF_TENANCY",
    CONFIG_FILE,
    'generateId: "uuid"',
    'generateId: "uuid", tenancy: "perOrganization"',
  ],
  ["TENANT_OF_TABLE", ACTIONS_FILE, '{ table: "orders"', '{ table: "shops"'],
  ["TABLE_UNKNOWN", ACTIONS_FILE, '{ table: "orders"', '{ table: "order"'],
  ["COLUMN_UNKNOWN", ACTIONS_FILE, 'column: "code"', 'column: "cod"'],
  ["TENANT_OF_COLUMN", ACTIONS_FILE, 'column: "code"', 'column: "short"'],
  ["TENANT_OF_COLUMN", ORDERS_FILE, "random: 22", "random: 21"],
  ["TENANT_OF_GUARD", ORDERS_FILE, 'createable: ["title"]', 'createable: ["title", "code"]'],
  ["TENANT_OF_GUARD", ORDERS_FILE, 'updatable: ["note"]', 'updatable: ["note", "code"]'],
  [
    "TENANT_OF_GUARD",
    ORDERS_FILE,
    'updatable: ["note"]',
    'updatable: ["note"], immutable: ["code"]',
  ],
  ["TENANT_OF_GUARD", ORDERS_FILE, 'updatable: ["note"]', 'protected: { code: ["add"] }'],
  [
    "TENANT_OF_GUARD",
    ORDERS_FILE,
    'guards: { createable: ["title"], updatable: ["note"] }',
    "guards: false",
  ],
  ["INPUT_FIELD_UNKNOWN", ACTIONS_FILE, 'input: "code"', 'input: "cod"'],
  ["INPUT_FIELD_TYPE", ACTIONS_FILE, "code: z.string()", "code: z.number()"],
  ["KEY_MISSING", ACTIONS_FILE, ', input: "code"', ""],
  ["UNKNOWN_KEY", ACTIONS_FILE, 'input: "code"', 'input: "code", scope: "x"'],
];

for (const [code, file, from, to] of MISTAKES) {
  Deno.test(`tenantOf: ${code} where ${from} is ${to || "left out"}`, () => {
    const text = TRACK[file] ?? "";
    assert(text.includes(from), from);
    const validation = validate({ ...TRACK, [file]: text.replace(from, to) });
    assert(!validation.ok);
    assertEquals([...new Set(validation.errors.map((error) => error.code))], [code]);
    const [first] = validation.errors;
    assert(
      first?.place && (first.hint ?? "") !== "" || code === "KEY_MISSING" ||
        code === "INPUT_FIELD_TYPE",
    );
  });
}
