/** Contract 5.1, 5.4, 9.5: every route asks for the credentials that its description names as `security`, and for no others. */
import { assertEquals } from "@std/assert";
import { emitOpenApi } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import { type ApiUnderTest, withApi } from "../support/api.ts";
import { founder, helpdesk, ORIGIN, withAccountsApi } from "../support/accounts_api.ts";
import { projectWithBatches } from "../support/batch_project.ts";

interface Described {
  readonly method: string;
  readonly path: string;
  readonly security: readonly object[];
}

function describedRoutes(project: ProjectModel): readonly Described[] {
  const { paths } = JSON.parse(emitOpenApi(project));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isJsonObject(operation) || !Array.isArray(operation["security"])) return [];
      return [{ method: method.toUpperCase(), path, security: operation["security"] }];
    })
  );
}

const CREDENTIALS: Readonly<Record<"none" | "bad", Readonly<Record<string, string>>>> = {
  none: {},
  bad: { authorization: "Bearer no.token.here" },
};

/** The code of a refusal by the gate itself; null: something else answers. */
async function refusedBy(
  api: ApiUnderTest,
  { method, path }: Described,
  headers: Readonly<Record<string, string>>,
): Promise<string | null> {
  const asked = path.replaceAll(/\{(\w+)\}/g, "x1");
  const answer = await api.ask(asked, {
    method,
    headers,
    ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
  });
  const code = String(answer.body["code"]);
  return ["AUTH_MISSING", "AUTH_INVALID_TOKEN", "AUTH_SESSION_REQUIRED"].includes(code)
    ? code
    : null;
}

async function everyGateAsksAsDescribed(
  api: ApiUnderTest,
  { isServed = () => true }: { readonly isServed?: (route: Described) => boolean } = {},
): Promise<void> {
  for (const route of describedRoutes(api.project).filter(isServed)) {
    const { security } = route;
    const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
    const takesHeaders = security.some((one) => Object.hasOwn(one, "bearer"));
    const name = `${route.method} ${route.path}`;
    const anonymous = await refusedBy(api, route, CREDENTIALS.none);
    assertEquals([name, anonymous], [name, isOpen ? null : "AUTH_MISSING"]);
    const unknown = await refusedBy(api, route, CREDENTIALS.bad);
    if (takesHeaders) assertEquals([name, unknown], [name, "AUTH_INVALID_TOKEN"]);
    if (security.length === 0) assertEquals([name, unknown], [name, null]);
  }
}

Deno.test("operations ask for what the description says", async () => {
  // This host has no accounts.
  const isServed = ({ path }: Described) => !path.endsWith("/token") && !path.includes("/auth/");
  await withApi(projectWithBatches, (api) => everyGateAsksAsDescribed(api, { isServed }));
});

Deno.test("service, token and account routes ask for what the description says", async () => {
  assertEquals(describedRoutes(helpdesk).length > 60, true);
  await withAccountsApi((api) => everyGateAsksAsDescribed(api));
});

Deno.test("a good credential of another kind than a route takes is none", () =>
  withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const { body: { token } } = await anna.ask("/api/v1/token", {});
    const others = {
      bearer: { authorization: `Bearer ${String(token)}` },
      session: { ...ORIGIN, cookie: anna.cookie },
    };
    const asked = { bearer: 0, session: 0 };
    for (const route of describedRoutes(api.project)) {
      const takes = route.security.flatMap((one) => Object.keys(one));
      const kind = takes.join() === "session"
        ? "bearer"
        : takes.includes("bearer") && !takes.includes("session")
        ? "session"
        : null;
      if (kind === null) continue;
      const name = `${route.method} ${route.path} with ${kind}`;
      const code = route.path === "/api/v1/token" ? "AUTH_SESSION_REQUIRED" : "AUTH_MISSING";
      assertEquals([name, await refusedBy(api, route, others[kind])], [name, code]);
      asked[kind] += 1;
    }
    assertEquals([asked.bearer > 20, asked.session > 0], [true, true]);
  }));
