/** Definitions 6: `middlewares/*.ts`, around operations, in file-name order after authentication. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, BASE_URL, tokenFor } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const MEMBER = { sub: "user_m", orgId: "org_a", roles: ["member"] };

const DESK: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
export default feature("tickets", {
  columns: { organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
  "quickback/features/tickets/actions/echo.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Tells what middlewares set",
  path: "./echo",
  input: z.object({}),
  access: { roles: ["member"] },
  execute: ({ c }) => ({ locale: c.get("locale"), same: c.var["locale"] }),
});
`,
};

function withMiddlewares(
  middlewares: Readonly<Record<string, string>>,
  body: (api: ApiUnderTest) => Promise<void>,
): Promise<void> {
  const files = Object.entries(middlewares).map(([name, source]) =>
    [`quickback/middlewares/${name}`, source] as const
  );
  return withCompiledActions({ ...DESK, ...Object.fromEntries(files) }, body);
}

const marking = (name: string) =>
  `import type { Context, Next } from "hono";
export default async (c: Context, next: Next) => {
  const seen = c.get("seen") ?? [];
  c.set("seen", [...seen, "${name}"]);
  await next();
  c.header("x-seen", c.get("seen").join(" "));
  c.header("x-left", (c.res.headers.get("x-left") ?? "") + "${name}");
};
`;

Deno.test("middlewares run in file-name order, from the outside in and back", async () => {
  await withMiddlewares({ "20-b.ts": marking("b"), "10-a.ts": marking("a") }, async (api) => {
    const { status, headers } = await api.ask("tickets", { as: MEMBER });
    assertEquals([status, headers.get("x-seen"), headers.get("x-left")], [200, "a b", "ba"]);
  });
});

Deno.test("whom the authentication refuses meets no middleware; later refusals happen inside", async () => {
  await withMiddlewares({ "a.ts": marking("a") }, async (api) => {
    const rows = [
      [await api.ask("tickets"), 401, null],
      [await api.ask("tickets", { headers: { authorization: "Bearer no" } }), 401, null],
      [await api.ask("tickets", { as: { ...MEMBER, roles: ["guest"] } }), 403, "a"],
      [await api.ask("tickets/none", { as: MEMBER }), 403, "a"],
      [await api.ask("nowhere", { as: MEMBER }), 404, null],
      [await api.ask("/health"), 200, null],
    ] as const;
    for (const [answer, status, seen] of rows) {
      assertEquals([answer.status, answer.headers.get("x-seen")], [status, seen]);
    }
  });
});

Deno.test("a middleware may answer by itself, and then nothing else happens", async () => {
  const closed = `import { HTTPException } from "hono/http-exception";
import type { Context, Next } from "hono";
export default async (c: Context, next: Next) => {
  if (c.req.header("x-mode") === "closed") return c.json({ closed: true }, 503);
  if (c.req.header("x-mode") === "thrown") throw new HTTPException(418, { message: "Tea" });
  if (c.req.header("x-mode") === "broken") throw new Error("secret detail");
  await next();
};
`;
  await withMiddlewares({ "a.ts": closed }, async (api) => {
    const create = async (mode: string) => {
      const token = await tokenFor(MEMBER);
      const request = new Request(`${BASE_URL}/api/v1/tickets`, {
        method: "POST",
        headers: {
          host: "localhost:8000",
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-mode": mode,
        },
        body: JSON.stringify({ title: mode }),
      });
      const response = await api.fetch(request, { clientIp: null });
      return [response.status, await response.text()];
    };
    assertEquals(await create("closed"), [503, '{"closed":true}']);
    assertEquals(await create("thrown"), [418, "Tea"]);
    const [status, text] = await create("broken");
    assertEquals(status, 500);
    assert(!String(text).includes("secret detail"));
    assertEquals((await create("open"))[0], 201);
    const { body } = await api.ask("tickets", { as: MEMBER });
    assertEquals(Array.isArray(body["data"]) && body["data"].length, 1);
  });
});

Deno.test("a middleware knows the caller and no credentials, and hands on to handlers", async () => {
  const setting = `import type { Context, Next } from "hono";
export default async (c: Context, next: Next) => {
  const { userId, organizationId, roles } = c.get("ctx");
  c.set("locale", [userId, organizationId, ...roles, c.req.header("authorization") ?? "none", c.env.GREETING]);
  await next();
};
`;
  await withMiddlewares({ "a.ts": setting }, async (api) => {
    const { body } = await api.ask("tickets/echo", { as: MEMBER, body: {} });
    const locale = ["user_m", "org_a", "member", "none", "hello"];
    assertEquals(body, { locale, same: locale });
  });
});

Deno.test("a default export that is no middleware keeps the API from starting", async () => {
  let message = "";
  try {
    await withMiddlewares(
      { "a.ts": 'export default JSON.parse("1");\n' },
      () => Promise.resolve(),
    );
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  assertEquals(
    message,
    "Cannot start: the default export of quickback/middlewares/a.ts is no middleware",
  );
});
