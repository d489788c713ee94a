/**
 * Serves `POST /oauth/consent`: the user's consent becomes a grant, and the client gets a code for it (RFC 6749, 4.1.2).
 * Refuses with `ORIGIN_FORBIDDEN`, `EMAIL_UNVERIFIED` and `SECOND_FACTOR_REQUIRED`.
 */
import type { RequestContext } from "../context.ts";
import { originOf } from "../request/request_origin.ts";
import { clientOf, insertGrant, organizationsOf, pruneOauth } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import { credentialsOf, requireOwnOrigin } from "../layers/1-authentication/identify.ts";
import type { Accounts } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { leadBack } from "./authorization_request.ts";
import { type Form, formOf } from "./oauth_refusal.ts";
import { wordingOf } from "../response/pages/wording.ts";
import { lostPage } from "./pages.ts";
import { CODE_LIFETIME_MS, digestOf, later, newSecret, unusedSince } from "./secrets.ts";
import type { TicketRequest, Tickets } from "./ticket.ts";

/**
 * Refuses a form that another page sent: forms of these pages come from this origin, whatever other origins the project trusts
 * with its API.
 */
export function requireOwnForm(request: RequestContext): void {
  requireOwnOrigin(request);
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== request.app.settings.baseUrl) refuse("ORIGIN_FORBIDDEN");
}

/**
 * Refuses consent without a session in a browser: only a person in front of a page may allow a client anything. Refuses with
 * `AUTH_SESSION_REQUIRED` as well.
 */
export function requireOwnConsent(request: RequestContext): void {
  const { headers, app } = request;
  if (credentialsOf(headers, app.ports.accounts).some(({ kind }) => kind !== "session")) {
    refuse("AUTH_SESSION_REQUIRED");
  }
  requireOwnForm(request);
}

export async function answerConsent(
  request: Admitted,
  { accounts, tickets }: { readonly accounts: Accounts | null; readonly tickets: Tickets },
): Promise<Response> {
  const wording = wordingOf(request.app.project, request.headers);
  if (request.principal.impersonatedBy !== undefined) return await lostPage(wording, FOR_ANOTHER);
  const form = await formOf(request, ["scope"]);
  const session = await accounts?.signedIn(request.headers) ?? null;
  const userId = session?.user.id ?? null;
  const ticket = form.repeated === null ? form.one("ticket") : null;
  const asked = session === null || userId === null || ticket === null
    ? null
    : await tickets.open(ticket, { userId, at: session.at });
  if (session === null || asked === null || userId === null) {
    return await lostPage(wording, "The page is too old, or was made for somebody else.");
  }
  if (form.one("decision") !== "allow") {
    return denied(request, asked, "The user did not allow it");
  }
  const scopes = asked.scopes.filter((scope) => form.all("scope").includes(scope));
  if (scopes.length === 0) return denied(request, asked, "The user allowed nothing of it");
  const platformRole = form.one("platformRole") === "true";
  const refusal = await session.refusalOf({ platformRole });
  if (refusal !== null) return refuse(refusal);
  const organizationId = await chosenOrganization(request, form, userId);
  if (organizationId === undefined) {
    return await lostPage(wording, "You are no member of the organization that was chosen.");
  }
  const { sessionId } = session;
  const allowed = { asked, scopes, userId, organizationId, sessionId, platformRole };
  const code = await grantedCode(request, allowed);
  if (code === null) {
    return await lostPage(
      wording,
      "The application is not registered here any more, or you signed out.",
    );
  }
  return leadBack(request, asked, { status: 303, code });
}

/** Refusal during an impersonation: a grant would outlive the hour that an impersonation may last. */
const FOR_ANOTHER = "You act as somebody else, whom you cannot let others act for.";

function denied(request: Admitted, asked: TicketRequest, why: string): Response {
  return leadBack(request, asked, { status: 303, error: "access_denied", error_description: why });
}

/** Returns the chosen organization; null: the user is in none; undefined: the user is not in that one. */
async function chosenOrganization(
  { app, database }: Admitted,
  form: Form,
  userId: string,
): Promise<string | null | undefined> {
  if (!app.project.multiTenant) return null;
  const own = await organizationsOf(database, userId);
  const chosen = form.one("organization");
  if (own.length === 0 && chosen === null) return null;
  return own.find(({ id }) => id === chosen)?.id;
}

interface Allowed {
  readonly asked: TicketRequest;
  readonly scopes: readonly string[];
  readonly userId: string;
  readonly organizationId: string | null;
  readonly sessionId: string;
  readonly platformRole: boolean;
}

/** Makes a grant and returns its code; null: the client or the session no longer exists. */
async function grantedCode(
  request: Admitted,
  { asked, scopes, userId, organizationId, sessionId, platformRole }: Allowed,
): Promise<string | null> {
  const { app: { ports: { accounts, random } }, database, now } = request;
  const code = newSecret(random);
  const id = await digestOf(code);
  const grantId = `oag_${random.bytes(16).toHex()}`;
  const expiresAt = later(now, CODE_LIFETIME_MS);
  const granted = await database.write(async (transaction) => {
    await pruneOauth(transaction, { now, unusedSince: unusedSince(now) });
    const { clientId, redirectUri, challenge, audience } = asked;
    const client = await clientOf(transaction, { clientId, unusedSince: unusedSince(now) });
    if (client === null) return null;
    const isKept = await insertGrant(transaction, {
      id: grantId,
      sessionId,
      platformRole,
      clientId,
      userId,
      organizationId,
      scope: scopes.join(" "),
      resource: audience,
      createdAt: now,
      expiresAt,
    }, { id, kind: "code", grantId, redirectUri, codeChallenge: challenge, expiresAt });
    if (!isKept) return null;
    return await accounts?.securityLog?.record(transaction, {
      userId,
      kind: "grant",
      details: { act: "made", grantId, clientId, scopes: [...scopes], organizationId },
      origin: originOf(request),
      notifies: true,
    });
  });
  if (granted === null) return null;
  granted?.();
  return code;
}
