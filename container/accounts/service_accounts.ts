/**
 * The account side of the build service (definitions 7): a terminal asks for a code, a person confirms it on a page, and the
 * terminal gets a signed session token (RFC 8628). No other route of the account library can be reached.
 */
import { z } from "zod";
import { HEADERS } from "../../shared/contract/mod.ts";
import { sha256 } from "../../shared/lib/bytes.ts";
import { parsedJson } from "../../shared/lib/json.ts";
import { htmlText } from "../../shared/lib/texts.ts";
import type { Authenticate, ServiceAccounts, Sessions } from "../../shared/service/mod.ts";
import { ServiceRefusal, signSession } from "../../shared/service/mod.ts";
import { type AccountLibrary, ACCOUNTS_BASE, ADDRESS_HEADER } from "./account_library.ts";

interface AccountsOptions {
  readonly library: AccountLibrary;
  readonly baseUrl: string;
  readonly sessions: Sessions;
  /** Authenticates a registration, which requires a key of the service. */
  readonly authenticate: Authenticate;
}

const BODY_MAX_BYTES = 8192;
const CODE = `${ACCOUNTS_BASE}/device/code`;
const TOKEN = `${ACCOUNTS_BASE}/device/token`;

export function serviceAccounts(options: AccountsOptions): ServiceAccounts {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const asked = `${request.method} ${pathname}`;
    if (asked === `POST ${CODE}`) return await asLibrary(request, CODE, options);
    if (asked === `POST ${TOKEN}`) {
      // The library's session is exchanged for a token that needs no database.
      const answer = await asLibrary(request, TOKEN, options);
      if (!answer.ok) return answer;
      const granted = GRANTED.parse(await answer.json());
      const subject = await options.library.redeemed(granted.access_token);
      if (subject === null) return refused("invalid_grant", "The code was used");
      const signed = await signSession(subject, options.sessions);
      return Response.json({
        access_token: signed.token,
        token_type: "Bearer",
        expires_in: signed.expiresIn,
      });
    }
    if (asked === "GET /device") {
      const code = new URL(request.url).searchParams.get("user_code") ?? "";
      return devicePage(200, ONLY_YOURS, code.slice(0, 20));
    }
    if (asked === "POST /device") return await decision(request, options);
    return null;
  };
}

async function asLibrary(
  request: Request,
  path: string,
  { library, baseUrl }: AccountsOptions,
): Promise<Response> {
  const text = await bodyText(request);
  if (text === null) return refused("invalid_request", "The body is too large");
  const body = parametersOf(request, text);
  if (body === null) {
    return refused("invalid_request", "Send each parameter once, as a form or as JSON");
  }
  if (path === TOKEN && !isDeviceGrant(body)) {
    return refused("unsupported_grant_type", `grant_type must be ${DEVICE_GRANT}`);
  }
  return await asOAuth(await ask(library, { baseUrl, path, body }));
}

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const GRANT_TYPE = z.object({ grant_type: z.string().min(1) });

/** True for the device grant. The library refuses a body without a grant type or without JSON. */
function isDeviceGrant(body: string): boolean {
  const asked = GRANT_TYPE.safeParse(parsedJson(body));
  return !asked.success || asked.data.grant_type === DEVICE_GRANT;
}

const OAUTH_ERROR = z.object({ error: z.string() });
const LIBRARY_ERROR = z.object({ message: z.string() });

/** Gives the library's refusals the form that terminals read, with `error` (RFC 6749, 5.2). */
async function asOAuth(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const { status, headers } = answer;
  const body: unknown = await answer.clone().json().catch(() => null);
  if (OAUTH_ERROR.safeParse(body).success) return answer;
  const said = LIBRARY_ERROR.safeParse(body);
  const description = said.success ? said.data.message : "The request was refused";
  const wait = headers.get("x-retry-after") ?? headers.get("retry-after");
  return Response.json({
    error: status === 429 ? "slow_down" : status >= 500 ? "server_error" : "invalid_request",
    error_description: description,
  }, {
    status,
    headers: wait === null ? {} : { "retry-after": wait },
  });
}

/**
 * Reads parameters from a form, which RFC 8628 requires, or from JSON, which the library reads; null: neither, or a repeated
 * parameter.
 */
function parametersOf(request: Request, text: string): string | null {
  const type = mediaTypeOf(request);
  if (type === "application/json") return text;
  if (type !== FORM_TYPE) return null;
  const parameters = [...new URLSearchParams(text)];
  const names = new Set(parameters.map(([name]) => name));
  return names.size === parameters.length ? JSON.stringify(Object.fromEntries(parameters)) : null;
}

const FORM_TYPE = "application/x-www-form-urlencoded";

function mediaTypeOf(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

const GRANTED = z.object({ access_token: z.string(), token_type: z.string() });

function refused(error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status: 400 });
}

const ONLY_YOURS = "Enter the code that your own terminal shows. " +
  "If somebody sent you a code or this link, do not go on.";

const FORM = z.object({
  user_code: z.string().min(1).max(20),
  email: z.string().min(1).max(254),
  password: z.string().min(1).max(128),
  decision: z.enum(["approve", "deny"]),
  name: z.string().max(120).default(""),
  key: z.string().max(200).default(""),
});

/** Handles the decision. It contains the credentials, so there is no browser session that another page could abuse. */
async function decision(request: Request, options: AccountsOptions): Promise<Response> {
  const text = await bodyText(request);
  const isForm = mediaTypeOf(request) === FORM_TYPE;
  const form = FORM.safeParse(Object.fromEntries(new URLSearchParams(text ?? "")));
  if (text === null || !isForm || !form.success) {
    return await devicePage(400, "Fill in the form", "");
  }
  const { user_code: code, decision: decided } = form.data;
  const person = await signedIn(form.data, options);
  if (person.kind === "limited") return await limitedPage(code);
  if (person.kind !== "known") {
    return await devicePage(403, "That account or key is not known", code);
  }
  const outcome = await decide(code, decided, person.cookie, options);
  if (outcome === "limited") return await limitedPage(code);
  if (outcome === "unknown") {
    return await devicePage(400, "That code is not known or over", "");
  }
  const message = decided === "approve"
    ? "The terminal is signed in. You can close this page."
    : "The terminal was refused. You can close this page.";
  return await devicePage(200, message, null);
}

type Form = z.infer<typeof FORM>;

/** Answers attempts over the limit. Many wrong codes or passwords use up everybody's attempts for a minute. */
function limitedPage(code: string): Promise<Response> {
  const message = "Too many attempts at this service. Try again in a minute.";
  return devicePage(429, message, code);
}

type Person =
  | { readonly kind: "known"; readonly cookie: string }
  | { readonly kind: "unknown" | "limited" };

/** Returns a session's cookie for an account that exists, or that a key of the service creates. */
async function signedIn(form: Form, options: AccountsOptions): Promise<Person> {
  const { email, password, name, key } = form;
  const isNew = key !== "";
  if (isNew && !await isKnown(key, options)) return { kind: "unknown" };
  const answer = await ask(options.library, {
    baseUrl: options.baseUrl,
    path: `${ACCOUNTS_BASE}/${isNew ? "sign-up" : "sign-in"}/email`,
    body: JSON.stringify({ email, password, ...(isNew ? { name: name || email } : {}) }),
  });
  if (!answer.ok) return { kind: refusalIn(answer) };
  const cookies = answer.headers.getSetCookie().map((text) => text.split(";")[0]);
  return cookies.length === 0 ? { kind: "unknown" } : { kind: "known", cookie: cookies.join("; ") };
}

async function isKnown(key: string, { authenticate }: AccountsOptions): Promise<boolean> {
  try {
    await authenticate(new Headers({ [HEADERS.apiKey]: key }));
    return true;
  } catch (error) {
    if (error instanceof ServiceRefusal || error instanceof TypeError) return false;
    throw error;
  }
}

async function decide(
  code: string,
  decided: Form["decision"],
  cookie: string,
  { library, baseUrl }: AccountsOptions,
): Promise<"done" | "unknown" | "limited"> {
  const claim = `${ACCOUNTS_BASE}/device?user_code=${encodeURIComponent(code)}`;
  const claimed = await ask(library, { baseUrl, path: claim, headers: { cookie } });
  if (!claimed.ok) return refusalIn(claimed);
  const path = `${ACCOUNTS_BASE}/device/${decided}`;
  const body = JSON.stringify({ userCode: code });
  const decision = await ask(library, { baseUrl, path, body, headers: { cookie } });
  return decision.ok ? "done" : refusalIn(decision);
}

function refusalIn({ status }: Response): "unknown" | "limited" {
  return status === 429 ? "limited" : "unknown";
}

async function ask(
  library: AccountLibrary,
  { baseUrl, path, body, headers }: {
    readonly baseUrl: string;
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  return await library.handle(
    new Request(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "content-type": "application/json",
        origin: baseUrl,
        [ADDRESS_HEADER]: "127.0.0.1",
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
}

/** Reads the body; null: it is longer than any valid one. */
async function bodyText(request: Request): Promise<string | null> {
  if (request.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body) {
    size += part.byteLength;
    if (size > BODY_MAX_BYTES) return null;
    parts.push(part);
  }
  return await new Blob(parts.map((part) => new Uint8Array(part))).text();
}

/**
 * The page on which a person confirms a terminal (RFC 8628, 3.3): one form without script. Every answer contains the
 * credentials.
 */

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}" +
  "label{display:block;margin:.75rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}" +
  "button{font:inherit;padding:.4rem 1rem;margin-right:.5rem}summary{margin:.75rem 0}";

async function devicePage(
  status: number,
  /** Message above the form, or in its place. */
  message: string,
  /** The code that the form starts with; null: there is no form. */
  code: string | null,
): Promise<Response> {
  const body = code === null ? "" : form(code);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>Sign in a terminal</title>` +
    `<style>${STYLE}</style></head><body><h1>Sign in a terminal</h1><p>${
      htmlText(message)
    }</p>${body}</body></html>`;
  const digest = await sha256(STYLE);
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${digest.toBase64()}'; ` +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    },
  });
}

function form(code: string): string {
  return `<form method="post" action="/device">` +
    `<label>Code<input name="user_code" value="${
      htmlText(code)
    }" required maxlength="20" autocomplete="off"></label>` +
    `<label>E-mail<input name="email" type="email" required maxlength="254" autocomplete="username"></label>` +
    `<label>Password<input name="password" type="password" required maxlength="128" autocomplete="current-password"></label>` +
    `<details><summary>No account yet</summary>` +
    `<label>Name<input name="name" maxlength="120"></label>` +
    `<label>Key of the service<input name="key" type="password" maxlength="200" autocomplete="off"></label></details>` +
    `<p><button name="decision" value="approve">Let it in</button><button name="decision" value="deny">Refuse</button></p></form>`;
}
