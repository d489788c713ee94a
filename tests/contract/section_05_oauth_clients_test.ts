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
import { type ApiUnderTest, BASE_URL } from "../support/api.ts";
import { CALLBACK, decided, withOauthDesk } from "../support/oauth.ts";

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

Deno.test("the MCP library's own client finds the server, is allowed, calls tools and refreshes", () =>
  withOauthDesk(async ({ api, anna }) => {
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
    // Its user leaves it the right to read tickets, and nothing else.
    const answer = await decided(
      api,
      anna,
      `${asked?.pathname}${asked?.search}`,
      "allow",
      (fields) => fields.filter(([name, value]) => name !== "scope" || value === "tickets:read"),
    );
    await first.finishAuth(answer.get("code") ?? "");
    const before = host.kept.tokens?.access_token ?? "";
    assertEquals(decodeJwt(before).aud, `${BASE_URL}/mcp`);
    const client = new Client({ name: "host", version: "1.0.0" });
    await client.connect(transport());
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assertEquals(names.filter((name) => /create|update|delete|resolve/.test(name)), []);
    const list = { name: "list_records", arguments: { resource: "tickets" } };
    assertEquals((await client.callTool(list)).isError ?? false, false);
    const other = { name: "list_records", arguments: { resource: "customers" } };
    assertEquals((await client.callTool(other)).isError, true);
    // Once the token is over, the library refreshes by itself.
    api.pass(15 * 60_000);
    assertEquals((await client.callTool(list)).isError ?? false, false);
    assert(host.kept.tokens?.access_token !== before);
    await client.close();
  }));
