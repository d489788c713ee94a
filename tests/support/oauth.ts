/** Clients of a project's own authorization server, and the browser of whoever is asked to allow them something. */
import { assertEquals, assertMatch } from "@std/assert";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { AuthModel } from "../../shared/model/auth.ts";
import { memoryPubSub } from "../../shared/runtime/mod.ts";
import {
  type AccountsApiOptions,
  founder,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "./accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL } from "./api.ts";
import { withCompiled } from "./compiled_actions.ts";
import { type ManualTimer, manualTimer } from "./realtime.ts";
import { projectFiles } from "./sample_files.ts";

const HELPDESK = await projectFiles(new URL("../../examples/helpdesk/", import.meta.url));

export const CALLBACK = "http://127.0.0.1:3999/callback";
/** RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export interface OauthScene {
  readonly api: ApiUnderTest;
  /** Owner of the organization, who may do everything. */
  readonly anna: Visitor;
  readonly customer: string;
  readonly ticket: string;
  /** Time passes, and the timers that are due run. */
  elapse(milliseconds: number): void;
}

export function oauthProject(model: ProjectModel): ProjectModel {
  return { ...model, agents: { ...model.agents, oauth: true } };
}

/** The helpdesk example as an authorization server, with an organization, a customer and a ticket. */
export function withOauthDesk(
  body: (scene: OauthScene) => Promise<void>,
  { impersonation, ...options }:
    & Pick<AccountsApiOptions, "limiter" | "sysadminEmails">
    & Pick<AuthModel, "impersonation"> = {},
): Promise<void> {
  let timer: ManualTimer | null = null;
  return withCompiled(HELPDESK, ({ model, code }) =>
    withAccountsApi(async (api) => {
      const anna = await founder(api, "anna", "acme");
      const customer = await anna.ask("customers", { name: "Eve", email: "eve@example.com" });
      const customerId = String(customer.body["id"]);
      const ticket = await anna.ask("tickets", { customerId, subject: "Printer" });
      assertEquals(ticket.status, 201, ticket.text);
      await body({
        api,
        anna,
        customer: customerId,
        ticket: String(ticket.body["id"]),
        elapse(milliseconds) {
          api.pass(milliseconds);
          timer?.fire();
        },
      });
    }, {
      ...options,
      project: oauthProject({
        ...model,
        auth: { ...model.auth, ...(impersonation ? { impersonation } : {}) },
      }),
      code,
      realtime({ clock }) {
        timer = manualTimer(clock);
        return { pubSub: memoryPubSub(clock), timer };
      },
    }));
}

/** Registers a client; its id. */
export async function registered(
  api: ApiUnderTest,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await api.ask("/oauth/register", {
    body: { client_name: "Robot", redirect_uris: [CALLBACK], ...metadata },
  });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["client_id"]);
}

export type Parameters = Readonly<Record<string, string | undefined>>;

/** The path of a good request, with these changes; an undefined one is left out. */
export function authorizePath(clientId: string, changes: Parameters = {}): string {
  const all: Parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: "*:read",
    state: "s t&ate",
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
  return `/oauth/authorize?${query}`;
}

export function sendForm(
  api: ApiUnderTest,
  path: string,
  values: Parameters | readonly (readonly [string, string])[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const pairs = Array.isArray(values)
    ? values
    : Object.entries(values).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]);
  return api.ask(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: String(new URLSearchParams(pairs.map(([name, value]) => [String(name), String(value)]))),
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Names and values of the inputs of a page's form, as a browser would send them. */
export function fieldsOf(html: string): readonly (readonly [string, string])[] {
  return [...html.matchAll(/<input ([^>]*)>/g)].flatMap(([, attributes = ""]) => {
    const of = (name: string) =>
      new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]
        ?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
    const isLeftOut = /type="(?:radio|checkbox)"/.test(attributes) && !/ checked/.test(attributes);
    const name = of("name");
    return name === undefined || isLeftOut ? [] : [[name, of("value") ?? ""] as const];
  });
}

/** What the client hears after its user has pressed a button of the page. */
export async function decided(
  api: ApiUnderTest,
  visitor: Visitor,
  path: string,
  decision: "allow" | "deny" = "allow",
  change: (
    fields: readonly (readonly [string, string])[],
  ) => readonly (readonly [string, string])[] = (fields) => fields,
): Promise<URLSearchParams> {
  const page = await visitor.ask(path);
  assertEquals(page.status, 200, page.text);
  const answer = await sendForm(
    api,
    "/oauth/consent",
    [...change(fieldsOf(page.text)), ["decision", decision]],
    { cookie: visitor.cookie, origin: BASE_URL },
  );
  assertEquals(answer.status, 303, answer.text);
  return heard(answer);
}

/** Parameters of the answer that leads back to the client. */
export function heard(answer: Answer, redirectUri = CALLBACK): URLSearchParams {
  const location = answer.headers.get("location") ?? "";
  assertEquals(location.split("?")[0], redirectUri, location);
  const query = new URL(location).searchParams;
  assertEquals(query.get("iss"), BASE_URL);
  return query;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

export function tokensIn(answer: Answer): Tokens {
  assertEquals(answer.status, 200, answer.text);
  const { access_token: access, refresh_token: refresh, scope } = answer.body;
  assertMatch(String(access), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  return { access: String(access), refresh: String(refresh), scope: String(scope) };
}

export function exchanged(
  api: ApiUnderTest,
  clientId: string,
  code: string,
  changes: Parameters = {},
): Promise<Answer> {
  return sendForm(api, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changes,
  });
}

export function refreshed(
  api: ApiUnderTest,
  clientId: string,
  refresh: string,
  changes: Parameters = {},
): Promise<Answer> {
  return sendForm(api, "/oauth/token", {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refresh,
    ...changes,
  });
}

/** A client that somebody allowed something. */
export interface AllowedClient extends Tokens {
  readonly clientId: string;
  ask(path: string, ask?: { readonly method?: string; readonly body?: unknown }): Promise<Answer>;
}

/** Registers, asks, is allowed, and exchanges the code. */
export async function allowed(
  api: ApiUnderTest,
  visitor: Visitor,
  changes: Parameters = {},
): Promise<AllowedClient> {
  const clientId = await registered(api);
  const answer = await decided(api, visitor, authorizePath(clientId, changes));
  const tokens = tokensIn(await exchanged(api, clientId, answer.get("code") ?? ""));
  const headers = { authorization: `Bearer ${tokens.access}` };
  return { clientId, ...tokens, ask: (path, asked) => api.ask(path, { headers, ...asked }) };
}

/** Somebody else, in the organization of the first one. */
export async function colleague(
  api: ApiUnderTest,
  name: string,
  role: string,
): Promise<Visitor> {
  const visitor = await signedUp(api, name);
  const { rows: [organization] } = await api.database.run({
    sql: "SELECT id FROM auth_organization LIMIT 1",
    args: [],
  });
  const organizationId = String(organization?.[0]);
  await api.database.write((transaction) =>
    transaction.run({
      sql: "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) " +
        "SELECT 'member_' || id, ?, id, ?, '2026-01-01T00:00:00.000Z' FROM auth_user WHERE name = ?",
      args: [organizationId, role, name],
    })
  );
  const active = await visitor.ask("/api/auth/organization/set-active", { organizationId });
  assertEquals(active.status, 200, active.text);
  return visitor;
}
