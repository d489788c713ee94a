/**
 * Builds the pages of mailed links: the purpose of a link, the form that carries it out, and the result
 * (decisions/accounts.md).
 */
import { PASSWORD_LENGTH } from "../../../contract/mod.ts";
import { htmlText } from "../../../lib/texts.ts";
import type { LinkedMail } from "../../../model/mod.ts";
import type { MailedLink } from "../../ports.ts";
import { pageOf, problemText } from "./page.ts";
import type { Wording } from "./wording.ts";

export interface LinkPage {
  readonly wording: Wording;
  readonly link: MailedLink;
  /** The path to which the form is sent. */
  readonly action: string;
  /** The hidden fields of the form, by name. */
  readonly hidden: Readonly<Record<string, string>>;
  /** The account whose session this browser has. */
  readonly signedIn: "nobody" | "account" | "other";
  readonly hasPasswords: boolean;
  /** The page that follows; absent: one of these pages. */
  readonly leadsTo?: string | undefined;
  /** The last failure. */
  readonly problem?: string | undefined;
  readonly status?: number;
}

/** Builds the page with a link's purpose and its form. */
export function linkPage(page: LinkPage): Promise<Response> {
  const { wording: { says, html }, link, problem, status = 200, leadsTo } = page;
  const { act, requestedAt } = link;
  const values = {
    email: link.email,
    newEmail: link.newEmail ?? "",
    organization: link.organization ?? "",
  };
  const minute = `${requestedAt.slice(0, 16).replace("T", " ")} UTC`;
  const time = `<time datetime="${htmlText(requestedAt)}">${htmlText(minute)}</time>`;
  const title = says(`${act}.title`);
  return pageOf({
    wording: page.wording,
    title,
    status,
    leadsTo,
    body: `<h1>${htmlText(title)}</h1>
<p>${html(`${act}.text`, values)}</p>
<p class="note">${html("requestedAt", {}).replace("{{time}}", () => time)}</p>
${problemText(problem)}<form method="post" action="${htmlText(page.action)}">
${hiddenFields(page.hidden)}${fieldsOf(page)}
<button class="main${act === "deleteAccount" ? " grave" : ""}">${
      htmlText(says(`${act}.button`))
    }</button>
</form>
${act === "verifyEmail" ? takeOverForm(page) : ""}`,
  });
}

function hiddenFields(hidden: LinkPage["hidden"]): string {
  return Object.entries(hidden).map(([name, value]) =>
    `<input type="hidden" name="${htmlText(name)}" value="${htmlText(value)}">\n`
  ).join("");
}

/** Acts that need nothing but the link itself. */
const ALONE: readonly LinkedMail[] = ["magicLink"];

/** Returns the fields to fill in. */
function fieldsOf({ wording, link: { act, email }, signedIn, hasPasswords }: LinkPage): string {
  const { says, html } = wording;
  if (act === "resetPassword") {
    return `<label for="newPassword">${htmlText(says("newPassword"))}</label>
<input id="newPassword" name="newPassword" type="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH.min}" maxlength="${PASSWORD_LENGTH.max}" required>`;
  }
  if (signedIn === "account" || ALONE.includes(act)) return "";
  const other = signedIn === "other" ? `<p>${htmlText(says("otherAccount"))}</p>\n` : "";
  if (!hasPasswords) return `${other}<p>${htmlText(says("signInFirst"))}</p>`;
  return `${other}<label for="password">${html("password", { email })}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>`;
}

/** Builds the form for the owner of an address for which another person made an account. */
function takeOverForm({ wording: { says }, action, hidden }: LinkPage): string {
  return `<details>
<summary>${htmlText(says("verifyEmail.notMine"))}</summary>
<p>${htmlText(says("verifyEmail.takeOver"))}</p>
<form method="post" action="${htmlText(action)}">
${hiddenFields(hidden)}<input type="hidden" name="takeOver" value="true">
<button>${htmlText(says("verifyEmail.notMine"))}</button>
</form>
</details>`;
}

/** Builds the page with the result, where no page of an application follows. */
export function donePage(wording: Wording, act: LinkedMail): Promise<Response> {
  const title = wording.says(`${act}.done`);
  return pageOf({
    wording,
    title,
    body: `<h1>${htmlText(title)}</h1>
<p>${htmlText(wording.says("close"))}</p>`,
  });
}

/** Builds the page after a right first factor, where no page of an application can ask for the second. */
export function secondFactorPage(wording: Wording): Promise<Response> {
  const title = wording.says("secondFactor.title");
  return pageOf({
    wording,
    title,
    body: `<h1>${htmlText(title)}</h1>
<p>${htmlText(wording.says("secondFactor.text"))}</p>`,
  });
}

/** Builds the one page for every link that is not valid. */
export function invalidLinkPage(wording: Wording): Promise<Response> {
  const title = wording.says("invalid.title");
  return pageOf({
    wording,
    title,
    status: 400,
    body: `<h1>${htmlText(title)}</h1>
<p>${htmlText(wording.says("invalid.text"))}</p>`,
  });
}

/** Builds the page of a refusal that other input cannot change. */
export function refusedPage(
  wording: Wording,
  { status, message }: { readonly status: number; readonly message: string },
): Promise<Response> {
  const title = wording.says("refused.title");
  return pageOf({
    wording,
    title,
    status,
    body: `<h1>${htmlText(title)}</h1>
<p>${htmlText(message)}</p>`,
  });
}
