/** Everything that a rule with relations decides, on one walk: keyed writes, transitions and their bulk, presigned uploads, frames (definitions 4.1, 4.2). */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { withRealtime } from "../support/realtime.ts";
import { DISPATCHER, fillField, make, TOM } from "../support/field_project.ts";
import { SCENARIO, wrongOnWalk } from "../support/related_scenario.ts";

Deno.test("a rule with relations decides alike on every way", () =>
  withRealtime(SCENARIO, async (api) => {
    assertEquals(await wrongOnWalk(api), []);
    api.end();
  }));

const BOUND = Object.fromEntries(
  Object.entries(SCENARIO).map(([path, text]) => [
    path,
    path.endsWith("/notes.ts")
      ? text.replaceAll("record: { order: {", 'record: { state: "open", order: {').replace(
        "  guards: false,",
        `  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "text", equals: "shared", roles: ["technician"] },
    { through: "order", where: { title: { notEquals: "Secret" } } },
  ],
  guards: false,`,
      )
      : text,
  ]),
);

Deno.test("a new record meets its whole rule, and one that changes the part of it that follows relations", () =>
  withRealtime(BOUND, async (api) => {
    await fillField(api);
    const code = async (path: string, method: string, body: unknown) => {
      const { status, body: told } = await api.ask(path, { method, as: TOM, body });
      const [error] = Array.isArray(told["errors"]) ? told["errors"] : [];
      return error ? error.error.code : status < 400 ? "ok" : told["code"];
    };
    const open = { orderId: "toms", text: "shared" };
    const closed = { ...open, state: "closed" };
    const failed = "ACCESS_CONDITION_FAILED";
    assertEquals(await code("notes", "POST", { id: "n1", ...closed }), failed);
    assertEquals(await code("notes/n2", "PUT", closed), failed);
    const records = [{ id: "n3", ...closed }];
    assertEquals(await code("notes/batch", "POST", { records }), failed);
    assertEquals(await code("notes/batch", "PUT", { records }), failed);
    assertEquals(await code("notes", "POST", { id: "n4", ...open }), "ok");
    assertEquals(await code("notes/n4", "PATCH", { state: "closed" }), "ok");
    assertEquals(await code("notes/n4", "PATCH", { state: "open" }), failed);
    api.end();
  }));

Deno.test("a history leaves out states that columns or relations keep from its reader", () =>
  withRealtime(BOUND, async (api) => {
    await fillField(api);
    await api.ask("orders/toms", { method: "PATCH", as: DISPATCHER, body: { assigneeId: "dora" } });
    await make(api, "notes", { id: "n", orderId: "toms", text: "private" });
    const change = (body: unknown) => api.ask("notes/n", { method: "PATCH", as: DISPATCHER, body });
    assertEquals((await change({ text: "shared" })).status, 200);
    await api.ask("orders/toms", { method: "PATCH", as: DISPATCHER, body: { assigneeId: "tom" } });
    const { status, text } = await api.ask("notes/n/history", { as: TOM });
    assertEquals([status, text.includes("shared"), text.includes("private")], [200, true, false]);
    api.end();
  }));

Deno.test("a transition's guard that follows a relation is refused with its place", () => {
  const [path] = Object.keys(SCENARIO).filter((one) => one.endsWith("/finish.ts"));
  const text = SCENARIO[path ?? ""] ?? "";
  const guarded = text.replace('{ kind: { equals: "free" } }', '{ order: { status: "open" } }');
  const validation = validate({ ...SCENARIO, [path ?? ""]: guarded });
  assertEquals(
    validation.ok ? [] : validation.errors.map(({ code, place }) => [code, place?.file]),
    [["COLUMN_UNKNOWN", path]],
  );
});
