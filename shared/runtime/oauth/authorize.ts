/** Serves `GET /oauth/authorize` (RFC 6749, 3.1): the page to sign in on, or the page that lists what a client asks for. */
import { inWords, OAUTH_PATHS } from "../../surface/mod.ts";
import { organizationsOf } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import type { Accounts, SignedIn } from "../ports.ts";
import { type Asked, leadBack, readAuthorizationRequest } from "./authorization_request.ts";
import { wordingOf } from "../response/pages/wording.ts";
import { consentPage, lostPage, signInPage } from "./pages.ts";
import type { Tickets } from "./ticket.ts";

interface AuthorizeMeans {
  /** Account functions of the host; null: it has none. */
  readonly accounts: Accounts | null;
  readonly tickets: Tickets;
}

export async function answerAuthorize(request: Admitted, means: AuthorizeMeans): Promise<Response> {
  const reading = await readAuthorizationRequest(request);
  const wording = wordingOf(request.app.project, request.headers);
  if (reading.kind === "lost") return await lostPage(wording, reading.why);
  if (reading.kind === "refused") {
    const { back, error, why } = reading;
    return leadBack(request, back, { status: 302, error, error_description: why });
  }
  const { asked } = reading;
  const { auth } = request.app.project;
  const session = await means.accounts?.signedIn(request.headers) ?? null;
  if (asked.prompt.includes("none")) {
    // The user is always asked, because any program on this machine may pretend to be the one that was allowed before.
    const error = session === null ? "login_required" : "consent_required";
    return leadBack(request, asked, { status: 302, error, error_description: "A page is needed" });
  }
  if (session === null || asked.prompt.includes("login")) {
    const query = new URLSearchParams(request.search);
    query.delete("prompt");
    return await signInPage({
      wording,
      request: String(query),
      hasPasswords: auth.emailAndPassword,
    });
  }
  return await askConsent(request, asked, session, means);
}

async function askConsent(
  request: Admitted,
  asked: Asked,
  { user, at }: SignedIn,
  { accounts, tickets }: AuthorizeMeans,
): Promise<Response> {
  const { project } = request.app;
  const wording = wordingOf(project, request.headers);
  const { id: userId = "", email } = user;
  const { client, redirectUri, state, challenge, scopes, audience } = asked;
  const sealed = { clientId: client.id, redirectUri, state, challenge, scopes, audience };
  const active = await accounts?.session(request.headers) ?? null;
  const again = new URLSearchParams(request.search);
  again.set("prompt", "login");
  return await consentPage({
    wording,
    client,
    email,
    redirectUri,
    ticket: await tickets.seal(sealed, { userId, at }),
    scopes: inWords(project, scopes, wording.says),
    organizations: project.multiTenant ? await organizationsOf(request.database, userId) : null,
    organizationId: active?.organizationId ?? null,
    platformRole: active?.userRole ?? null,
    otherAccount: `${OAUTH_PATHS.authorize}?${again}`,
  });
}
