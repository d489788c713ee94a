/** Clients that others wrote against the authorization server: a strict OAuth library, and the MCP library's own (contract 5.1, 5.5). */
import { assert, assertEquals, assertRejects } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client/auth"
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import { decodeJwt } from "jose";
import { createSecretBox, databaseQueue } from "../../shared/runtime/mod.ts";
import { founder, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import { type ApiUnderTest, AUTH_SECRET, BASE_URL } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { CALLBACK, decided, withOauthDesk } from "../support/oauth.ts";
import { projectFiles } from "../support/sample_files.ts";
import { answered } from "../support/webhooks.ts";

/** The API as a client's `fetch` reaches it. */
function fetchOf(api: ApiUnderTest) {
  return (url: string | URL, init?: RequestInit) => {
    const request = new Request(url, { ...init, redirect: "manual" });
    request.headers.set("host", new URL(BASE_URL).host);
    return api.fetch(request, { clientIp: null });
  };
}

Deno.test("oauth4webapi discovers, registers, is allowed, refreshes and revokes", () =>
  withOauthDesk(async ({ api, anna, ticket }) => {
    const fetch = fetchOf(api);
    const options = {
      [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
      [oauth.allowInsecureRequests]: true,
    };
    const resource = new URL(`${BASE_URL}/mcp`);
    const described = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, options),
    );
    const issuer = new URL(described.authorization_servers?.[0] ?? "");
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }),
    );
    assertEquals(server.code_challenge_methods_supported, ["S256"]);
    assertEquals(server.scopes_supported, described.scopes_supported);
    assert(server.scopes_supported?.includes("tickets:resolve"), server.scopes_supported?.join());
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, {
        client_name: "Strict",
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: "none",
      }, options),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: "code",
      scope: "tickets:read",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const { pathname } = new URL(server.authorization_endpoint ?? "");
    const answer = await decided(api, anna, `${pathname}?${query}`);
    const given = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        oauth.validateAuthResponse(server, client, answer, state),
        CALLBACK,
        verifier,
        options,
      ),
    );
    assertEquals([given.expires_in, given.scope], [900, "tickets:read"]);
    const read = (token: string) =>
      oauth.protectedResourceRequest(
        token,
        "GET",
        new URL(`${BASE_URL}/api/v1/tickets/${ticket}`),
        undefined,
        undefined,
        options,
      );
    assertEquals((await read(given.access_token)).status, 200);
    const again = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        given.refresh_token ?? "",
        options,
      ),
    );
    assertEquals((await read(again.access_token)).status, 200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        server,
        client,
        oauth.None(),
        again.refresh_token ?? "",
        options,
      ),
    );
    await assertRejects(() => read(again.access_token), oauth.WWWAuthenticateChallengeError);
    await assertRejects(
      async () =>
        await oauth.processRefreshTokenResponse(
          server,
          client,
          await oauth.refreshTokenGrantRequest(
            server,
            client,
            oauth.None(),
            again.refresh_token ?? "",
            options,
          ),
        ),
      oauth.ResponseBodyError,
    );
  }));

const SAAS = await projectFiles(new URL("../../examples/saas/", import.meta.url));

/** The example as it is, with somebody who has founded an organization in it. */
function withSaas(body: (api: ApiUnderTest, anna: Visitor) => Promise<void>): Promise<void> {
  return withCompiled(
    SAAS,
    ({ model, code }) =>
      withAccountsApi(async (api) => await body(api, await founder(api, "anna", "acme")), {
        project: model,
        code,
        webhooks: (ports) => ({
          queue: databaseQueue(ports),
          secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
          resolver: {
            resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
          },
          dialer: { post: () => Promise.resolve(answered(200)) },
          env: {},
        }),
      }),
  );
}

/** What a host of a model keeps between its requests. */
interface Host extends OAuthClientProvider {
  readonly kept: {
    client?: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
    tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
    verifier?: string;
    asked?: URL;
  };
}

function newHost(): Host {
  const kept: Host["kept"] = {};
  return {
    kept,
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: "Host of a model",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (asked) => void (kept.asked = asked),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
  };
}

Deno.test("the MCP library's own client connects to the example saas, is allowed, calls tools and refreshes", () =>
  withSaas(async (api, anna) => {
    const host = newHost();
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
        authProvider: host,
        fetch: fetchOf(api),
      });
    const first = transport();
    const refused = new Client({ name: "host", version: "1.0.0" });
    await assertRejects(() => refused.connect(first), UnauthorizedError);
    const asked = host.kept.asked;
    assertEquals(asked?.searchParams.get("resource"), `${BASE_URL}/mcp`);
    // Its user leaves it the right to read and complete tasks, and nothing else.
    const left = ["tasks:read", "tasks:complete"];
    const answer = await decided(
      api,
      anna,
      `${asked?.pathname}${asked?.search}`,
      "allow",
      (fields) => fields.filter(([name, value]) => name !== "scope" || left.includes(value)),
    );
    await first.finishAuth(answer.get("code") ?? "");
    const before = host.kept.tokens?.access_token ?? "";
    assertEquals(decodeJwt(before).aud, `${BASE_URL}/mcp`);
    const client = new Client({ name: "host", version: "1.0.0" });
    await client.connect(transport());
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert(names.includes("tasks_complete"), names.join());
    assertEquals(names.filter((name) => /create|update|delete|start|invoices/.test(name)), []);
    const project = await anna.ask("projects", { name: "Site" });
    const task = await anna.ask("tasks", { projectId: project.body["id"], title: "Write" });
    assertEquals(task.status, 201, task.text);
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).isError ?? false;
    assertEquals(await call("list_records", { resource: "tasks" }), false);
    assertEquals(await call("tasks_complete", { id: task.body["id"] }), false);
    assertEquals((await anna.ask(`tasks/${task.body["id"]}`)).body["status"], "done");
    assertEquals(await call("list_records", { resource: "projects" }), true);
    assertEquals(await call("tasks_reopen", { id: task.body["id"] }), true);
    // Once the token is over, the library refreshes by itself.
    api.pass(15 * 60_000);
    assertEquals(await call("list_records", { resource: "tasks" }), false);
    assert(host.kept.tokens?.access_token !== before);
    await client.close();
  }));
