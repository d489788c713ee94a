/** Scope tokens that an action mints: never wider than its request, short, and taken back like any other (contract 5.2, 5.4). */
import { assertEquals, assertMatch } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { decodeJwt } from "jose";
import { z } from "zod";
import type { ActionContext, ScopeToken } from "../../shared/authoring/mod.ts";
import type { ActionImplementation } from "../../shared/surface/action_implementation.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  START,
  withDefinitions,
} from "../support/api.ts";

const test = ofOneDatabase("nobody founded the organization, so that it has no database");

const action = (access: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Let a guest in", path: "/guests/${access.toLowerCase()}",
  input: z.object({ scope: z.string(), expiresIn: z.number().optional() }), access: { roles: ["${access}"] },
  execute: ({ input, mintScopeToken }) => mintScopeToken(input.scope, { expiresIn: input.expiresIn }) });
`;

const FOLDER = "quickback/features/doors";

const files = (jwt: string, contract = "v1") => ({
  "quickback/quickback.config.ts":
    `export default { name: "doors", contract: { version: "${contract}" }, auth: { ${jwt} } };\n`,
  [`${FOLDER}/doors.ts`]: `import { feature, q } from "quickback";
export default feature("doors", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: { createable: ["title"] },
  read: { access: { roles: ["SCOPED"] } },
  create: { access: { roles: ["SESSION"] } },
});
`,
  [`${FOLDER}/actions/invite.ts`]: action("AUTHENTICATED"),
  [`${FOLDER}/actions/knock.ts`]: action("PUBLIC"),
  [`${FOLDER}/actions/enter.ts`]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Tell which door is open", path: "/enter",
  input: z.object({}), access: { roles: ["SCOPED", "AUTHENTICATED"] },
  execute: ({ ctx }) => ({ opens: ctx.scope }) });
`,
});

interface Given {
  readonly input: { readonly scope: string; readonly expiresIn?: number };
  readonly mintScopeToken: (
    scope: string,
    options?: { readonly expiresIn?: number },
  ) => Promise<ScopeToken>;
}

const mint: ActionImplementation = {
  execute: ({ input, mintScopeToken }: Given) =>
    mintScopeToken(
      input.scope,
      input.expiresIn === undefined ? {} : { expiresIn: input.expiresIn },
    ),
  input: z.object({ scope: z.string(), expiresIn: z.number().optional() }),
  output: null,
};

const enter: ActionImplementation = {
  execute: ({ ctx }: { readonly ctx: ActionContext }) => ({ opens: ctx.scope }),
  input: z.object({}),
  output: null,
};

const REVOCABLE = "jwt: { revocationCheck: true }";

function withDoors(
  body: (api: ApiUnderTest) => Promise<void>,
  { jwt = REVOCABLE, contract = "v1" }: { readonly jwt?: string; readonly contract?: string } = {},
) {
  const actions = {
    actions: { "doors.enter": enter, "doors.invite": mint, "doors.knock": mint },
  };
  return withDefinitions(files(jwt, contract), body, { actions });
}

const INVITE = "guests/authenticated";
const KNOCK = "guests/public";
const anna: Claims = { sub: "anna", orgId: "org_1", roles: ["member"] };
const outcome = ({ status, body }: Answer) =>
  body["code"] === undefined ? status : `${status} ${body["code"]}`;
const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${token}` } });

async function invited(api: ApiUnderTest, body: object = { scope: "door:7" }) {
  const answer = await api.ask(INVITE, { as: anna, body });
  assertEquals(answer.status, 200, answer.text);
  return answer.body;
}

Deno.test(`a token of a scope reads in the organization of its action alone`, async () => {
  await withDoors(async (api) => {
    await api.ask("doors", { as: anna, body: { title: "north" } });
    await api.ask("doors", { as: { ...anna, orgId: "org_2" }, body: { title: "secret" } });
    const { token, tokenType, expiresIn, expiresAt, jti } = await invited(api);
    assertEquals([tokenType, expiresIn], ["Bearer", 900]);
    assertEquals(expiresAt, new Date(Math.floor(START / 1000) * 1000 + 900_000).toISOString());
    const { iat: _, exp: __, iss: ___, aud: ____, ...claims } = decodeJwt(String(token));
    assertEquals(
      { ...claims },
      { sub: "scope:door:7", scope: "door:7", orgId: "org_1", jti: String(jti) },
    );
    const { body: { data } } = await api.ask("doors", bearer(token));
    assertEquals(Array.isArray(data) && data.map(({ title }) => title), ["north"]);
    const elsewhere = await api.ask("doors?organizationId=org_2", bearer(token));
    assertEquals(outcome(elsewhere), "403 FIREWALL_ORG_ISOLATION");
    const writing = await api.ask("doors", { ...bearer(token), body: { title: "a" } });
    assertEquals(outcome(writing), "403 ACCESS_ROLE_REQUIRED");
  });
});

Deno.test("a handler is told which scope its caller bears, and that others bear none", async () => {
  await withDoors(async (api) => {
    const { token } = await invited(api);
    const opened = await api.ask("enter", { ...bearer(token), body: { scope: "door:8" } });
    assertEquals(opened.body, { opens: "door:7" });
    assertEquals((await api.ask("enter", { as: anna, body: {} })).body, { opens: null });
  });
});

Deno.test("a token of a scope ends when it was told to, and at once when it is taken back", async () => {
  await withDoors(async (api) => {
    const short = await invited(api, { scope: "door:7", expiresIn: 30 });
    assertEquals(short["expiresIn"], 30);
    api.pass(31_000);
    const late = await api.ask("doors", bearer(short["token"]));
    assertEquals(outcome(late), "401 AUTH_EXPIRED");
    const [one, two] = [await invited(api), await invited(api)];
    const returned = await api.ask("token/revoke", { method: "POST", ...bearer(one["token"]) });
    assertEquals(returned.status, 200);
    assertEquals(outcome(await api.ask("doors", bearer(one["token"]))), "401 AUTH_INVALID_TOKEN");
    assertEquals((await api.ask("doors", bearer(two["token"]))).status, 200);
    const root = { sub: "root", userRole: "sysadmin" };
    await api.ask("token/revoke", { as: root, body: { jti: two["jti"] } });
    assertEquals(outcome(await api.ask("doors", bearer(two["token"]))), "401 AUTH_INVALID_TOKEN");
  });
});

Deno.test("a rehearsal gives no token away", async () => {
  await withDoors(async (api) => {
    const answer = await api.ask(`${INVITE}?dryRun=true`, { as: anna, body: { scope: "door:7" } });
    assertEquals([answer.status, answer.body["token"]], [200, "dry-run"]);
    assertEquals(answer.headers.get("preference-applied"), "dry-run");
    assertEquals(outcome(await api.ask("doors", bearer("dry-run"))), "401 AUTH_INVALID_TOKEN");
  });
});

Deno.test("a scope token mints no other, and nobody mints without an organization", async () => {
  await withDoors(async (api) => {
    const { token } = await invited(api);
    for (const path of [INVITE, KNOCK]) {
      const again = await api.ask(path, { ...bearer(token), body: { scope: "door:8" } });
      assertEquals(outcome(again), "403 SCOPE_TOKEN_REFUSED");
    }
    const homeless = await api.ask(INVITE, { as: { sub: "anna" }, body: { scope: "door:8" } });
    assertEquals(outcome(homeless), "403 ACCESS_NO_ORG");
  });
});

test("a stranger's token is for the organization that the request is about, as the action decides", async () => {
  await withDoors(async (api) => {
    const nowhere = await api.ask(KNOCK, { body: { scope: "door:7" } });
    assertEquals(outcome(nowhere), "400 ORG_REQUIRED");
    const { status, body } = await api.ask(`${KNOCK}?organizationId=org_1`, {
      body: { scope: "door:7" },
    });
    assertEquals([status, decodeJwt(String(body["token"]))["orgId"]], [200, "org_1"]);
  });
});

for (
  const [what, body] of [
    ["an empty name", { scope: "" }],
    ["a name with a space", { scope: "a b" }],
    ["a name that is too long", { scope: "a".repeat(65) }],
    ["no life", { scope: "a", expiresIn: 0 }],
    ["a life that never began", { scope: "a", expiresIn: -5 }],
    ["half a second", { scope: "a", expiresIn: 0.5 }],
    ["more than a day", { scope: "a", expiresIn: 86_401 }],
  ] as const
) {
  Deno.test(`a scope token with ${what} is a mistake of the action`, async () => {
    await withDoors(async (api) => {
      const answer = await api.ask(INVITE, { as: anna, body });
      assertEquals(outcome(answer), "500 ACTION_EXECUTION_FAILED");
      assertEquals(answer.body["details"], { name: "TypeError" });
    });
  });
}

test("a project without tokens says so in its log", async () => {
  await withDoors(async (api) => {
    const answer = await api.ask(`${KNOCK}?organizationId=org_1`, { body: { scope: "door:7" } });
    assertEquals(outcome(answer), "500 ACTION_EXECUTION_FAILED");
    assertMatch(String(api.log[0]?.error), /declare auth\.jwt/);
  }, { jwt: "", contract: "v2" });
});
