/** The pages of the authorization server. */
import { htmlText } from "../../lib/texts.ts";
import { OAUTH_PATHS, type ScopeInWords } from "../../surface/mod.ts";
import type { OauthClient, OrganizationName } from "../data/oauth_rows.ts";
import { pageOf, problemText } from "../response/pages/page.ts";
import { shown } from "../response/pages/shown.ts";
import { isLoopback } from "./redirect_uri.ts";

/** For whoever followed a link that leads nowhere. */
export function lostPage(why: string): Promise<Response> {
  return pageOf({
    title: "Request not understood",
    status: 400,
    body: `<h1>This request cannot be answered</h1>
<p>${htmlText(why)}</p>
<p>Go back to the application and begin again there.</p>`,
  });
}

interface SignInPage {
  /** Of the project. */
  readonly name: string;
  /** The query of the request, without its question mark. */
  readonly request: string;
  readonly hasPasswords: boolean;
  readonly email?: string;
  /** The last failure. */
  readonly problem?: string;
}

export function signInPage(
  { name, request, hasPasswords, email = "", problem }: SignInPage,
): Promise<Response> {
  const said = problemText(problem);
  const fields = `<form method="post" action="${OAUTH_PATHS.signIn}">
<input type="hidden" name="request" value="${htmlText(request)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${
    htmlText(email)
  }">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button class="main">Sign in</button>
</form>`;
  const elsewhere = `<p>Sign in in the application that you know, in this browser, and
<a href="${htmlText(`${OAUTH_PATHS.authorize}?${request}`)}">come back to this page</a>.</p>`;
  return pageOf({
    title: `Sign in to ${name}`,
    status: problem === undefined ? 200 : 400,
    body: `<h1>Sign in to ${shown(name)}</h1>
<p>An application asks to act for you. Sign in to see what it asks for.</p>
${said}${hasPasswords ? fields : elsewhere}`,
  });
}

/** The second step of signing in, for accounts that have one. */
export function codePage(
  { name, request, problem }: Pick<SignInPage, "name" | "request" | "problem">,
): Promise<Response> {
  const said = problemText(problem);
  return pageOf({
    title: `Sign in to ${name}`,
    status: problem === undefined ? 200 : 400,
    body: `<h1>Second step</h1>
${said}<form method="post" action="${OAUTH_PATHS.signIn}">
<input type="hidden" name="request" value="${htmlText(request)}">
<label for="code">Code of your authenticator, or a backup code</label>
<input id="code" name="code" autocomplete="one-time-code" required>
<button class="main">Go on</button>
</form>`,
  });
}

interface ConsentPage {
  readonly name: string;
  readonly client: OauthClient;
  readonly email: string;
  readonly redirectUri: string;
  readonly ticket: string;
  readonly scopes: readonly ScopeInWords[];
  /** Null: the project has none. */
  readonly organizations: readonly OrganizationName[] | null;
  /** Id of the one that is chosen at first. */
  readonly organizationId: string | null;
  /** The role that the user may hand on beside them; null: none. */
  readonly platformRole: string | null;
  /** Leads to the same request by somebody else. */
  readonly otherAccount: string;
  readonly problem?: string;
}

export function consentPage(page: ConsentPage): Promise<Response> {
  const { name, client, email, redirectUri, ticket, otherAccount, problem } = page;
  const { host } = new URL(redirectUri);
  const called = shown(client.name ?? host);
  const said = problemText(problem);
  return pageOf({
    title: `Allow ${client.name ?? host}?`,
    status: problem === undefined ? 200 : 400,
    leadsTo: redirectUri,
    body: `<h1>Allow <strong>${called}</strong> to act for you in ${shown(name)}?</h1>
<p>You are signed in as <strong>${shown(email, 254)}</strong>.
<a href="${htmlText(otherAccount)}">Use another account</a></p>
<p>The application named itself; nobody has checked it. Its answer goes to ${
      isLoopback(redirectUri) ? "a program on this computer, " : ""
    }<strong>${shown(host, 253)}</strong>.</p>
${said}<form method="post" action="${OAUTH_PATHS.consent}">
<input type="hidden" name="ticket" value="${htmlText(ticket)}">
${organizationFields(page)}
<h2>It will be able to</h2>
${scopeFields(page.scopes)}
${
      platformRoleField(page)
    }<p>Never more than you may yourself. Untick what it need not do. You can take this back at any time.</p>
<div class="choice">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Do not allow</button>
</div>
</form>`,
  });
}

function organizationFields({ organizations, organizationId }: ConsentPage): string {
  const [first, ...others] = organizations ?? [];
  if (first === undefined) return "";
  if (others.length === 0) {
    return `<input type="hidden" name="organization" value="${htmlText(first.id)}">
<p>It will act in <strong>${shown(first.name)}</strong>.</p>`;
  }
  const options = [first, ...others].map(({ id, name }) => {
    const chosen = id === (organizationId ?? first.id) ? " checked" : "";
    return `<label class="line"><input type="radio" name="organization" value="${
      htmlText(id)
    }"${chosen} required> ${shown(name)}</label>`;
  });
  return `<fieldset><legend>In which organization?</legend>
${options.join("\n")}
</fieldset>`;
}

/** Not ticked: nobody hands such a role on by the way. */
function platformRoleField({ platformRole }: ConsentPage): string {
  if (platformRole === null) return "";
  return `<label class="line"><input type="checkbox" name="platformRole" value="true">
Act as <strong>${shown(platformRole)}</strong>, too, which reaches other accounts</label>
`;
}

function scopeFields(scopes: readonly ScopeInWords[]): string {
  const headings = [...new Set(scopes.map(({ heading }) => heading))];
  return headings.map((heading) => {
    const lines = scopes.filter((scope) => scope.heading === heading).map(({ scope, text }) =>
      `<label class="line"><input type="checkbox" name="scope" value="${
        htmlText(scope)
      }" checked> <span>${shown(text, 300)} <code>${shown(scope)}</code></span></label>`
    );
    return `<fieldset><legend>${shown(heading)}</legend>
${lines.join("\n")}
</fieldset>`;
  }).join("\n");
}
