/**
 * Serves `POST /oauth/sign-in`: signs in by the account routes themselves, with their limits and their further steps, and
 * returns to the request for which the user signs in. Refuses as those routes refuse, on the page.
 */
import { isJsonObject, type JsonObject, parsedJson } from "../../lib/json.ts";
import type { PageText } from "../../model/mod.ts";
import { OAUTH_PATHS } from "../../surface/mod.ts";
import type { Admitted } from "../gate.ts";
import { requestReader } from "../request/read_request.ts";
import type { Router } from "../router.ts";
import { formOf } from "./oauth_refusal.ts";
import { wordingOf } from "../response/pages/wording.ts";
import { codePage, lostPage, signInPage } from "./pages.ts";

const PASSWORD = "/sign-in/email";
const DEVICE_CODE = "/two-factor/verify-totp";
const BACKUP_CODE = "/two-factor/verify-backup-code";

export async function answerSignIn(request: Admitted, accountRoutes: Router): Promise<Response> {
  const wording = wordingOf(request.app.project, request.headers);
  const form = await formOf(request);
  const asked = form.one("request");
  if (form.repeated !== null || asked === null) {
    return await lostPage(wording, "The page was not sent as it was made.");
  }
  const code = form.one("code")?.replaceAll(/\s/g, "") ?? null;
  const email = form.one("email") ?? "";
  const body = code === null ? { email, password: form.one("password") ?? "" } : { code };
  const path = code === null ? PASSWORD : /^\d{6}$/.test(code) ? DEVICE_CODE : BACKUP_CODE;
  const answer = await asAccount(request, path, body, accountRoutes);
  if (answer === null) {
    return await lostPage(
      wording,
      "Nobody can sign in in this way: begin in the application that you know.",
    );
  }
  const parsed = parsedJson(await answer.text());
  const told = isJsonObject(parsed) ? parsed : {};
  if (answer.ok && told["twoFactorRedirect"] !== true) {
    // The redirect repeats the request, and nothing else of the form.
    const location = `${OAUTH_PATHS.authorize}?${new URLSearchParams(asked)}`;
    return withCookies(new Response(null, { status: 303, headers: { location } }), answer);
  }
  if (answer.ok) return withCookies(await codePage({ wording, request: asked }), answer);
  if (answer.status >= 500) return new Response(JSON.stringify(told), answer);
  const problem = wording.says(
    PROBLEMS.get(told.code) ?? (code === null ? "problem.signIn" : "problem.code"),
  );
  return code === null
    ? await signInPage({ wording, request: asked, hasPasswords: true, email, problem })
    : await codePage({ wording, request: asked, problem });
}

/** Returns the answer of an account route that is called from the same client; null: the project has no route at this path. */
async function asAccount(
  outer: Admitted,
  path: string,
  body: JsonObject,
  accountRoutes: Router,
): Promise<Response | null> {
  const { app, clientIp, requestId, now } = outer;
  const address = app.switches.authBase + path;
  const match = accountRoutes(address);
  const endpoint = match?.endpoints.get("POST");
  if (!match || !endpoint) return null;
  const headers = new Headers(outer.headers);
  headers.set("content-type", "application/json");
  headers.delete("content-length");
  // The API's own origin admits the request despite the cookie of a session, which the sign-in is about to replace.
  headers.set("origin", app.settings.baseUrl);
  const { context } = requestReader(app)(
    new Request(app.settings.baseUrl + address, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    }),
    { clientIp },
  );
  return await outer.enter({ ...context, requestId, now }, endpoint, match.id);
}

const PROBLEMS: ReadonlyMap<unknown, PageText> = new Map([
  ["AUTH_RATE_LIMITED", "problem.tooMany"],
  ["RATE_LIMITED", "problem.tooMany"],
  ["EMAIL_NOT_VERIFIED", "problem.unproved"],
  ["BANNED_USER", "problem.banned"],
]);

function withCookies(response: Response, from: Response): Response {
  for (const cookie of from.headers.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}
