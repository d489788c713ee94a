/** Describes routes of the authorization server of a project with `agents.oauth` (contract 5.1; RFC 6749, 7009, 7591, 7636). */
import type { JsonValue, ProjectModel } from "../model/mod.ts";
import { isAuthorizationServer } from "./discovery_operations.ts";
import { RECEIVING_CODES } from "./codes.ts";
import type { JsonSchema } from "./parameters.ts";
import { closed } from "./schema/json_schema.ts";
import { answer, bodyOf, ok, REDIRECT, systemRoute } from "./system_route.ts";

/** Paths at the root, as the server's own addresses: they belong to no version of the contract. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  signIn: "/oauth/sign-in",
  consent: "/oauth/consent",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

export const FORM_MEDIA_TYPE = "application/x-www-form-urlencoded";

/** True when users may let clients act for them. */
export function isOauthServer(project: ProjectModel): boolean {
  return project.agents.oauth === true && isAuthorizationServer(project);
}

export function oauthOperationsOf(project: ProjectModel) {
  if (!isOauthServer(project)) return [];
  return [authorize(), SIGN_IN, CONSENT, TOKEN, REGISTER, REVOKE]
    .map((route) => ({ ...route, ofAccounts: true }));
}

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: "string",
  description,
  ...more,
});

/** Schema of an error in the form of the protocol, which its clients read (RFC 6749, 5.2). */
const ERROR: JsonSchema = {
  type: "object",
  description: "Why the authorization server refuses.",
  properties: {
    error: text("What is wrong, for programs.", {
      enum: [
        "invalid_request",
        "invalid_client",
        "invalid_grant",
        "unsupported_grant_type",
        "invalid_scope",
        "invalid_target",
        "invalid_redirect_uri",
        "invalid_client_metadata",
      ],
    }),
    error_description: text("What is wrong, for people."),
  },
  required: ["error", "error_description"],
  additionalProperties: false,
};

const REFUSED = { 400: { mediaType: "application/json", schema: ERROR } };
const PAGE: JsonSchema = { type: "string" };

/** Returns the responses of a page, or a redirect with this status. */
function pageOr(status: 302 | 303) {
  return {
    answers: { ...ok(PAGE, "<!doctype html>", { mediaType: "text/html" }), [status]: REDIRECT },
    forms: { 400: { mediaType: "text/html", schema: PAGE } },
  };
}

const FORM_CODES = [...RECEIVING_CODES, "UNSUPPORTED_MEDIA_TYPE"] as const;

const CLIENT_ID = text("Id of the client.");
const SCOPE = text("Names of scopes with spaces between them.");
const RESOURCE = text("What the tokens are for (RFC 8707): the API, or its `/mcp`.");

const query = (name: string, description: string, required = false): JsonSchema => ({
  name,
  in: "query",
  required,
  description,
  schema: { type: "string" },
});

function authorize() {
  return systemRoute({
    id: "serviceOauthAuthorize",
    method: "GET",
    path: OAUTH_PATHS.authorize,
    summary: "Ask a user to let a client act for them",
    description:
      "A page to sign in on, or one that says what the client asks for; leads back to the client with a code or an error.",
    who: "unasked",
    parameters: [
      query("response_type", "`code`.", true),
      query("client_id", "Id of the client.", true),
      query("redirect_uri", "One of the client's; of a loopback one any port."),
      query("code_challenge", "SHA-256 of the verifier as base64url (RFC 7636).", true),
      query("code_challenge_method", "`S256`.", true),
      query("scope", "Names of scopes with spaces between them; left out: `*:read`."),
      query("state", "Comes back with the answer."),
      query("resource", "What the tokens are for (RFC 8707): the API, or its `/mcp`."),
      query("prompt", "`login`: somebody signs in anew. `none`: no page is shown."),
    ],
    ...pageOr(302),
    codes: [],
  });
}

function form(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  example: JsonValue,
) {
  const schema = { type: "object", properties, required: [...required] };
  return bodyOf(schema, example, { mediaType: FORM_MEDIA_TYPE });
}

const REQUEST = text("The query of the request that the page was made for.");

const SIGN_IN = systemRoute({
  id: "serviceOauthSignIn",
  method: "POST",
  path: OAUTH_PATHS.signIn,
  summary: "Sign in on the page of the authorization server",
  description: "The form of that page; leads back to the request that it was made for.",
  who: "unasked",
  body: form(
    {
      request: REQUEST,
      email: text("E-mail address of the account."),
      password: text("Its password."),
    },
    ["request", "email", "password"],
    { request: "client_id=…", email: "jane@example.com", password: "<password>" },
  ),
  ...pageOr(303),
  codes: ["ORIGIN_FORBIDDEN", ...FORM_CODES],
});

const CONSENT = systemRoute({
  id: "serviceOauthConsent",
  method: "POST",
  path: OAUTH_PATHS.consent,
  summary: "Allow or refuse what a client asks for",
  description: "The form of that page, which its own origin alone may send.",
  who: "session",
  strays: "ignored",
  body: form(
    {
      ticket: text("The request, sealed for the user to whom the page was shown."),
      decision: text("What was decided.", { enum: ["allow", "deny"] }),
      organization: text("Id of the organization that the client is to act in."),
      scope: {
        type: "array",
        items: { type: "string" },
        description: "The scopes that were left.",
      },
    },
    ["ticket", "decision"],
    { ticket: "<ticket>", decision: "allow", scope: ["*:read"] },
  ),
  ...pageOr(303),
  codes: [
    "AUTH_MISSING",
    "AUTH_INVALID_TOKEN",
    "AUTH_RATE_LIMITED",
    "AUTH_SESSION_REQUIRED",
    "ORIGIN_FORBIDDEN",
    ...FORM_CODES,
  ],
});

const TOKEN = systemRoute({
  id: "serviceOauthToken",
  method: "POST",
  path: OAUTH_PATHS.token,
  summary: "Exchange a code or a refresh token for an access token",
  description:
    "Of public clients (RFC 6749, 7636). A refresh token is good once; who shows a used one ends the grant.",
  who: "unasked",
  body: form(
    {
      grant_type: text("What is exchanged.", { enum: ["authorization_code", "refresh_token"] }),
      client_id: CLIENT_ID,
      code: text("The code."),
      redirect_uri: text("As it was when the code was asked for."),
      code_verifier: text("Its SHA-256 was the challenge."),
      refresh_token: text("The refresh token."),
      scope: SCOPE,
      resource: RESOURCE,
    },
    ["grant_type", "client_id"],
    {
      grant_type: "authorization_code",
      client_id: "<client_id>",
      code: "<code>",
      redirect_uri: "http://127.0.0.1:3000/callback",
      code_verifier: "<verifier>",
    },
  ),
  answers: ok(
    closed({
      access_token: text("For `Authorization: Bearer`.", { minLength: 1 }),
      token_type: { const: "Bearer", description: "How it is sent." },
      expires_in: { type: "integer", minimum: 1, description: "Seconds until it ends." },
      refresh_token: text("For the next access token; good once.", { minLength: 1 }),
      scope: text("What it allows."),
    }),
    {
      access_token: "<token>",
      token_type: "Bearer",
      expires_in: 900,
      refresh_token: "<refresh_token>",
      scope: "*:read",
    },
  ),
  forms: REFUSED,
  codes: [...FORM_CODES],
});

const REDIRECT_URIS: JsonSchema = {
  type: "array",
  items: { type: "string", format: "uri" },
  minItems: 1,
  maxItems: 10,
  description: "Where codes may be sent: `https`, or `http` to this machine on any port.",
};
const CLIENT_NAME = text("Name that users are shown.");

const REGISTER = systemRoute({
  id: "serviceOauthRegister",
  method: "POST",
  path: OAUTH_PATHS.register,
  summary: "Register a client",
  description:
    "For everybody (RFC 7591), 20 in an hour from one address. Clients are public; one that nobody uses goes after 30 days. Further members are ignored.",
  who: "unasked",
  body: bodyOf({
    type: "object",
    properties: {
      redirect_uris: REDIRECT_URIS,
      client_name: CLIENT_NAME,
      grant_types: { type: "array", items: { type: "string" }, description: "Known ones." },
      response_types: { type: "array", items: { type: "string" }, description: "`code`." },
    },
    required: ["redirect_uris"],
  }, {
    client_name: "Assistant",
    redirect_uris: ["http://127.0.0.1:3000/callback"],
  }),
  answers: {
    201: answer(
      closed({
        client_id: CLIENT_ID,
        client_id_issued_at: { type: "integer", description: "Seconds since the epoch." },
        client_name: CLIENT_NAME,
        redirect_uris: REDIRECT_URIS,
        grant_types: { type: "array", items: { type: "string" }, description: "What it may use." },
        response_types: { type: "array", items: { const: "code" }, description: "`code`." },
        token_endpoint_auth_method: { const: "none", description: "It has no secret." },
      }),
      {
        client_id: "<client_id>",
        client_id_issued_at: 1769856930,
        client_name: "Assistant",
        redirect_uris: ["http://127.0.0.1:3000/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ),
  },
  forms: REFUSED,
  codes: [
    ...RECEIVING_CODES,
    "UNSUPPORTED_MEDIA_TYPE",
    "INVALID_JSON",
    "VALIDATION_ERROR",
    "RATE_LIMITED",
  ],
});

const REVOKE = systemRoute({
  id: "serviceOauthRevoke",
  method: "POST",
  path: OAUTH_PATHS.revoke,
  summary: "End a grant by one of its tokens",
  description: "Of a client that is done (RFC 7009): the grant ends with all its tokens.",
  who: "unasked",
  body: form(
    {
      token: text("A refresh token or an access token."),
      token_type_hint: text("Which of them; not needed."),
      client_id: CLIENT_ID,
    },
    ["token", "client_id"],
    { token: "<refresh_token>", client_id: "<client_id>" },
  ),
  answers: ok(closed({}), {}),
  forms: REFUSED,
  codes: [...FORM_CODES],
});
