/** Parameters of an action's path fill its input (contract 4.4 rule 5, docs/decisions/actions.md). */
import { assert, assertEquals } from "@std/assert";
import { openApiDocument } from "../../shared/compiler/mod.ts";
import { clientTypes } from "../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import { type ApiOptions, type ApiUnderTest, type Ask } from "../support/api.ts";
import { type Claims, isRecord, START } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { conformanceOf } from "../support/conformance.ts";
import { bearing, connected } from "../support/mcp_client.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };

const ECHO = "execute: ({ input, c }) => ({ input, param: c.req.param() }),";

const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({
  name: "paths", agents: { mcp: true }, contract: { changeset: true },
  rateLimit: { update: { limit: 5, period: 60 } },
});
`,
  "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
  "quickback/features/things/actions/note.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Note", input: z.object({ id: z.string(), text: z.string().optional() }).strict(),
  access: { roles: ["member"] }, rateLimit: false, ${ECHO}
});
`,
  "quickback/features/things/actions.ts": `import { defineActions } from "quickback";
import { z } from "zod";
export default defineActions(null, {
  status: {
    description: "Status", path: "/status/:token", method: "GET",
    input: z.object({ token: z.string().min(3), size: z.number().optional() }).strict(),
    access: { roles: ["member"] }, rateLimit: false, ${ECHO}
  },
  plan: {
    description: "Plan", path: "/plans/:year/:kind/:isOpen/:days/:rest",
    input: z.object({
      year: z.number().int().min(2000), kind: z.enum(["short", "long"]), isOpen: z.boolean(),
      days: z.array(z.number()), note: z.string().optional(),
    }).strict(),
    access: { roles: ["member"] }, rateLimit: false, ${ECHO}
  },
  pick: {
    description: "Pick", path: "/picks/:kind",
    input: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("one"), name: z.string() }),
      z.object({ kind: z.literal("two"), size: z.number() }),
    ]),
    access: { roles: ["member"] }, rateLimit: false, ${ECHO}
  },
  seven: {
    description: "Seven", path: "/seven/:n",
    input: z.object({ n: z.union([z.literal(7), z.literal(true), z.literal("x")]).nullable() }),
    access: { roles: ["member"] }, rateLimit: false, ${ECHO}
  },
  limited: {
    description: "Limited", path: "/limited/:one", input: z.object({ one: z.string() }),
    access: { roles: ["member"] }, ${ECHO}
  },
});
`,
};

function paths(
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  return withCompiledActions(FILES, body, options);
}

async function run(api: ApiUnderTest, path: string, ask: Ask = {}): Promise<unknown> {
  const { status, body } = await api.ask(path, { as: ANN, method: "POST", ...ask });
  if (status === 200) return body["input"];
  return [status, body["code"], body["pointer"] ?? body["details"]];
}

const invalid = (pointer: string) => [400, "VALIDATION_ERROR", pointer];
const PLAN = "plans/2026/short/true/1,2/x";

Deno.test("a parameter of the path fills the input, decoded once and typed as a query", () =>
  paths(async (api) => {
    const get = (path: string) => run(api, path, { method: "GET" });
    assertEquals(await get("status/abc"), { token: "abc" });
    assertEquals(await get("status/a%20b%2525?size=2"), { token: "a b%25", size: 2 });
    assertEquals(await get("status/abc?token=abc"), { token: "abc" });
    assertEquals(await get("status/abc?token=abd"), invalid("/token"));
    assertEquals(await get("status/abc?token="), invalid("/token"));
    assertEquals(await get("status/ab"), invalid("/token"));
    assertEquals(await run(api, PLAN), { year: 2026, kind: "short", isOpen: true, days: [1, 2] });
    const body = { note: "n", year: 2026, isOpen: true, days: [1, 2] };
    assertEquals(await run(api, PLAN, { body }), { ...body, kind: "short" });
    const answer = await api.ask(PLAN, { as: ANN, method: "POST" });
    assertEquals(answer.body["param"], {
      year: "2026",
      kind: "short",
      isOpen: "true",
      days: "1,2",
      rest: "x",
    });
  }));

Deno.test("what is no value of its schema is 400 with its pointer, and so is another value beside it", () =>
  paths(async (api) => {
    for (
      const [path, pointer] of [
        ["plans/x/short/true/1/x", "/year"],
        ["plans/0x7d0/short/true/1/x", "/year"],
        ["plans/1999/short/true/1/x", "/year"],
        ["plans/2026/tall/true/1/x", "/kind"],
        ["plans/2026/short/1/1/x", "/isOpen"],
        ["plans/2026/short/true/1,b/x", "/days"],
        ["seven/8", "/n"],
        ["picks/three", "/kind"],
      ] as const
    ) {
      assertEquals(await run(api, path), invalid(pointer), path);
    }
    for (
      const [body, pointer] of [
        [{ year: 2027 }, "/year"],
        [{ year: "2026" }, "/year"],
        [{ year: null }, "/year"],
        [{ kind: "long" }, "/kind"],
        [{ days: [2, 1] }, "/days"],
        [{ rest: "x" }, "/rest"],
      ] as const
    ) {
      assertEquals(await run(api, PLAN, { body }), invalid(pointer), JSON.stringify(body));
    }
    assertEquals(await run(api, "seven/7"), { n: 7 });
    assertEquals(await run(api, "seven/true"), { n: true });
    assertEquals(await run(api, "seven/x"), { n: "x" });
    const picked = { kind: "two", size: 1 };
    assertEquals(await run(api, "picks/two", { body: { size: 1 } }), picked);
    assertEquals(await run(api, "picks/one", { body: { size: 1 } }), invalid("/name"));
  }));

Deno.test("the id of a record's action fills its input, in a changeset and among many too", () =>
  paths(async (api) => {
    const { body: { id } } = await api.ask("things", { as: ANN, body: { title: "T" } });
    assertEquals(await run(api, `things/${id}/note`), { id });
    assertEquals(await run(api, `things/${id}/note`, { body: { id: "x" } }), invalid("/id"));
    const changeset = await api.ask("changeset", {
      as: ANN,
      body: {
        operations: [{ op: "action", resource: "things", action: "note", id, data: { text: "t" } }],
      },
    });
    assertEquals(changeset.status, 200, changeset.text);
    // Among many, no path names it.
    const many = (input: unknown) =>
      api.ask("things/batch/note", { as: ANN, body: { ids: [id], input } });
    assertEquals((await many({ id: "x" })).status, 200);
    assertEquals((await many({})).body["pointer"], "/input/id");
  }));

Deno.test("the rate of an action is counted by its template", () =>
  paths(async (api) => {
    const statuses = [];
    for (const one of ["a", "b", "c", "d", "e", "f"]) {
      statuses.push((await api.ask(`limited/${one}`, { as: ANN, method: "POST" })).status);
    }
    assertEquals(statuses, [200, 200, 200, 200, 200, 429]);
  }, { limiter: memoryRateLimiter({ clock: { now: () => START } }) }));

function operationAt(model: ProjectModel, path: string, method: string) {
  const { paths } = openApiDocument(model);
  const item = isRecord(paths) ? paths[`/api/v1${path}`] : null;
  const operation = isRecord(item) ? item[method] : null;
  assert(isRecord(operation), path);
  const { parameters } = operation;
  return {
    text: JSON.stringify(operation["requestBody"] ?? null),
    isNeeded: isRecord(operation["requestBody"]) && operation["requestBody"]["required"] === true,
    parameters: (Array.isArray(parameters) ? parameters : []).filter(isRecord),
  };
}

Deno.test("the description and the client have it in the path, and not in the body", () =>
  paths((api) => {
    const plan = operationAt(api.project, "/plans/{year}/{kind}/{isOpen}/{days}/{rest}", "post");
    const told = plan.parameters.filter((one) => one["in"] === "path")
      .map(({ name, schema }) => [name, isRecord(schema) ? schema["type"] : null]);
    assertEquals(told, [
      ["year", "integer"],
      ["kind", "string"],
      ["isOpen", "boolean"],
      ["days", "array"],
      ["rest", "string"],
    ]);
    assertEquals([plan.isNeeded, /year|isOpen/.test(plan.text)], [false, false]);
    assert(plan.text.includes("note"));
    const status = operationAt(api.project, "/status/{token}", "get");
    assertEquals(
      status.parameters.filter(({ name }) => name === "token" || name === "size")
        .map((one) => [one["name"], one["in"]]),
      [["token", "path"], ["size", "query"]],
    );
    const types = clientTypes(api.project);
    assert(
      /"GET \/status\/:token": \{[^}]*parameters: \{\s*readonly token: string;\s*\}/.test(types),
      types,
    );
    return Promise.resolve();
  }));

Deno.test("tools of /mcp take it as an argument of its own", () =>
  paths(async (api) => {
    const { client } = await connected(api, await bearing(ANN));
    const call = async (args: Record<string, unknown>) => {
      const { isError, content } = await client.callTool({ name: "plan", arguments: args });
      return { isError: isError === true, text: JSON.stringify(content) };
    };
    const given = { year: 2026, kind: "short", isOpen: true, days: "1,2", rest: "x" };
    const done = await call({ ...given, note: "n" });
    assertEquals(done.isError, false, done.text);
    assert(done.text.includes("2026"), done.text);
    assertEquals((await call({ ...given, year: "x" })).isError, true);
  }));

Deno.test("conformance fills paths from the input", () =>
  paths(async (api) => {
    assertEquals((await conformanceOf(api.project, api)).mismatches, []);
  }));
