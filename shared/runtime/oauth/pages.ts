/** Builds the pages of the authorization server. */
import { firstCodePoints, htmlText } from "../../lib/texts.ts";
import type { PageText } from "../../model/mod.ts";
import { OAUTH_PATHS, type ScopeInWords } from "../../surface/mod.ts";
import type { OauthClient, OrganizationName } from "../data/oauth_rows.ts";
import { pageOf, problemText } from "../response/pages/page.ts";
import { shown } from "../response/pages/shown.ts";
import type { Wording } from "../response/pages/wording.ts";
import { isLoopback } from "./redirect_uri.ts";

/** Builds the page for a link that is not valid. */
export function lostPage(wording: Wording, why: string): Promise<Response> {
  const title = wording.says("lost.title");
  return pageOf({
    wording,
    title,
    status: 400,
    body: `<h1>${htmlText(title)}</h1>
<p lang="en">${htmlText(why)}</p>
<p>${htmlText(wording.says("lost.text"))}</p>`,
  });
}

interface SignInPage {
  readonly wording: Wording;
  /** The query of the request, without its question mark. */
  readonly request: string;
  readonly hasPasswords: boolean;
  readonly email?: string;
  /** The last failure. */
  readonly problem?: string;
}

export function signInPage(
  { wording, request, hasPasswords, email = "", problem }: SignInPage,
): Promise<Response> {
  const text = (key: PageText) => htmlText(wording.says(key));
  const fields = `<form method="post" action="${OAUTH_PATHS.signIn}">
<input type="hidden" name="request" value="${htmlText(request)}">
<label for="email">${text("signIn.email")}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${
    htmlText(email)
  }">
<label for="password">${text("signIn.password")}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button class="main">${text("signIn.button")}</button>
</form>`;
  const elsewhere = `<p>${text("signIn.elsewhere")}</p>
<p><a href="${htmlText(`${OAUTH_PATHS.authorize}?${request}`)}">${text("signIn.again")}</a></p>`;
  return pageOf({
    wording,
    title: wording.says("signIn.title"),
    status: problem === undefined ? 200 : 400,
    body: `<h1>${text("signIn.title")}</h1>
<p>${text("signIn.text")}</p>
${problemText(problem)}${hasPasswords ? fields : elsewhere}`,
  });
}

/** Builds the page of the second factor, for accounts that have one. */
export function codePage(
  { wording, request, problem }: Pick<SignInPage, "wording" | "request" | "problem">,
): Promise<Response> {
  const text = (key: PageText) => htmlText(wording.says(key));
  return pageOf({
    wording,
    title: wording.says("signIn.title"),
    status: problem === undefined ? 200 : 400,
    body: `<h1>${text("code.title")}</h1>
${problemText(problem)}<form method="post" action="${OAUTH_PATHS.signIn}">
<input type="hidden" name="request" value="${htmlText(request)}">
<label for="code">${text("code.label")}</label>
<input id="code" name="code" autocomplete="one-time-code" required>
<button class="main">${text("code.button")}</button>
</form>`,
  });
}

interface ConsentPage {
  readonly wording: Wording;
  readonly client: OauthClient;
  readonly email: string;
  readonly redirectUri: string;
  readonly ticket: string;
  readonly scopes: readonly ScopeInWords[];
  /** The user's organizations; null: the project has none. */
  readonly organizations: readonly OrganizationName[] | null;
  /** Id of the organization that is preselected. */
  readonly organizationId: string | null;
  /** The platform role that the user may hand on beside the scopes; null: none. */
  readonly platformRole: string | null;
  /** Address of the same request for another account. */
  readonly otherAccount: string;
  readonly problem?: string;
}

export function consentPage(page: ConsentPage): Promise<Response> {
  const { wording, client, email, redirectUri, ticket, otherAccount, problem } = page;
  const { html } = wording;
  const text = (key: PageText) => htmlText(wording.says(key));
  const { host } = new URL(redirectUri);
  const named = { client: firstCodePoints(client.name ?? host, 100) };
  const answer = isLoopback(redirectUri) ? "consent.localAnswer" : "consent.answer";
  return pageOf({
    wording,
    title: wording.says("consent.title", named),
    status: problem === undefined ? 200 : 400,
    leadsTo: redirectUri,
    body: `<h1>${html("consent.title", named)}</h1>
<p>${html("consent.account", { email })}
<a href="${htmlText(otherAccount)}">${text("consent.otherAccount")}</a></p>
<p>${text("consent.unchecked")} ${html(answer, { host })}</p>
${problemText(problem)}<form method="post" action="${OAUTH_PATHS.consent}">
<input type="hidden" name="ticket" value="${htmlText(ticket)}">
${organizationFields(page)}
<h2>${text("consent.scopes")}</h2>
${scopeFields(page.scopes)}
${platformRoleField(page)}<p class="note">${text("consent.limits")}</p>
<div class="choice">
<button class="main" name="decision" value="allow">${text("consent.allow")}</button>
<button name="decision" value="deny">${text("consent.deny")}</button>
</div>
</form>`,
  });
}

function organizationFields({ wording, organizations, organizationId }: ConsentPage): string {
  const [first, ...others] = organizations ?? [];
  if (first === undefined) return "";
  if (others.length === 0) {
    return `<input type="hidden" name="organization" value="${htmlText(first.id)}">
<p>${wording.html("consent.organization", { organization: first.name })}</p>`;
  }
  const options = [first, ...others].map(({ id, name }) => {
    const chosen = id === (organizationId ?? first.id) ? " checked" : "";
    return `<label class="line"><input type="radio" name="organization" value="${
      htmlText(id)
    }"${chosen} required> ${shown(name)}</label>`;
  });
  return `<fieldset><legend>${htmlText(wording.says("consent.organizations"))}</legend>
${options.join("\n")}
</fieldset>`;
}

/** Builds the box for the platform role. It is not ticked, so that no user hands such a role on by accident. */
function platformRoleField({ wording, platformRole }: ConsentPage): string {
  if (platformRole === null) return "";
  return `<label class="line"><input type="checkbox" name="platformRole" value="true">
<span>${wording.html("consent.platformRole", { role: platformRole })}</span></label>
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
