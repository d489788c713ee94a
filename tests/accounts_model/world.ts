/** What the people of one walk know and hold, and how they ask the API. */
import { isRecord } from "../support/api.ts";
import { mailboxesOf, type Person, readerOf, TRIED } from "./people.ts";
import {
  type Account,
  type AccountEvent,
  type Credential,
  type CredentialKind,
  ENDED,
  ENDED_IN_ORGANIZATION,
  ENDS_LINKS,
  type Mail,
  type Organization,
  type Session,
} from "./secrets.ts";
import { BASE_URL, type WalkedApi } from "./walked_api.ts";

export const AUTH = "/auth/v1";

/** Somebody reached what they must not. */
export class Violation extends Error {}

export interface Heard {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly form?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies are sent, and those of the answer kept. */
  readonly cookies?: Map<string, string>;
}

export class World {
  readonly accounts = new Map<string, Account>();
  readonly credentials: Credential[] = [];
  readonly mails: Mail[] = [];
  readonly organizations: Organization[] = [];
  /** Passwords that were set for an account, and by whom. */
  readonly passwords: { readonly by: Person; readonly account: Account; password: string }[] = [];
  /** Values that somebody saw, by the names under which routes take them. */
  readonly seen = new Map<Person, Map<string, string[]>>();
  /** The walk so far, in words. */
  readonly told: string[] = [];
  /** What was done with success, for counts. */
  readonly done = new Set<string>();
  #time = 0;
  /** Messages that were taken in. */
  #received = 0;

  constructor(readonly api: WalkedApi) {}

  /** The next place in the order of all that happens. */
  now(): number {
    return this.#time += 1;
  }

  tell(line: string, status?: number): void {
    this.told.push(status === undefined ? line : `${line}: ${status}`);
  }

  /** Ends the walk. */
  violate(what: string): never {
    throw new Violation(what);
  }

  async ask(path: string, asked: Asked = {}): Promise<Heard> {
    const { body, form, cookies, headers = {} } = asked;
    const sent = new Headers({ host: new URL(BASE_URL).host, origin: BASE_URL, ...headers });
    if (cookies && cookies.size > 0) {
      sent.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const content = form
      ? String(new URLSearchParams(form.map(([name, value]) => [name, value])))
      : body === undefined
      ? null
      : JSON.stringify(body);
    if (content !== null) {
      const type = form ? "application/x-www-form-urlencoded" : "application/json";
      sent.set("content-type", type);
    }
    const response = await this.api.fetch(
      new Request(BASE_URL + path, {
        method: asked.method ?? (content === null ? "GET" : "POST"),
        headers: sent,
        ...(content === null ? {} : { body: content }),
        redirect: "manual",
      }),
    );
    const text = await response.text();
    if (cookies) keepCookies(cookies, response.headers);
    await this.#settle();
    if (response.status >= 500) this.violate(`${path} answered ${response.status}: ${text}`);
    return { status: response.status, text, headers: response.headers, body: parsedBody(text) };
  }

  /** Asks in somebody's browser. */
  async askAs(session: Session, path: string, asked: Omit<Asked, "cookies"> = {}): Promise<Heard> {
    const heard = await this.ask(path, { ...asked, cookies: session.cookies });
    this.learn(session.by, path, heard.text);
    return heard;
  }

  /** The account that an answer names; one that nobody knew is taken up. */
  account(id: string, address: string): Account {
    const known = this.accounts.get(id);
    if (known) {
      known.address = address;
      return known;
    }
    const account = { id, address, proved: null, isBanned: false, factor: null };
    this.accounts.set(id, account);
    // What the sign-up itself mailed came before its answer.
    for (const mail of this.mails) {
      if (mail.to === address && mail.kind === "confirmation") mail.account ??= account;
    }
    return account;
  }

  accountAt(address: string): Account | null {
    return [...this.accounts.values()].find((one) => one.address === address) ?? null;
  }

  hold<T extends Credential>(credential: Omit<T, "at" | "endedBy">): T {
    const held = Object.assign(credential, { at: this.now(), endedBy: null });
    if (!isHeld<T>(held)) throw new Error("No credential");
    this.credentials.push(held);
    this.done.add(`makes: ${held.kind}`);
    return held;
  }

  /** What somebody holds of a kind and has not seen ended, the latest first. */
  held<K extends CredentialKind>(
    person: Person | null,
    kind: K,
  ): readonly (Credential & { readonly kind: K })[] {
    return this.credentials.filter((one): one is Credential & { readonly kind: K } =>
      one.kind === kind && (person === null || one.by === person) && one.endedBy === null
    ).toReversed();
  }

  /** Mails that somebody can read, the latest first. */
  mailsOf(person: Person, kinds: readonly Mail["kind"][]): readonly Mail[] {
    return this.mails.filter(({ kind, to }) => kinds.includes(kind) && readerOf(to) === person)
      .toReversed();
  }

  /** Whoever reads the mail of the account's address has shown it. */
  prove(account: Account, by: Person, takesOver: boolean): void {
    if (account.proved !== null) return;
    if (takesOver) {
      this.happen(account, "a taking over");
      account.factor = null;
      for (const organization of this.organizations) {
        if (organization.account === account) organization.guests.clear();
      }
    }
    account.proved = { by, at: this.now() };
  }

  /** Ends what the event ends. `spared`: what it came with. */
  happen(account: Account, event: AccountEvent, spared: readonly unknown[] = []): void {
    const kinds: readonly CredentialKind[] = ENDED[event];
    for (const one of this.credentials) {
      if (one.account !== account || spared.includes(one) || !kinds.includes(one.kind)) continue;
      one.endedBy ??= event;
    }
    if (ENDS_LINKS.includes(event)) {
      for (const mail of this.mails) {
        if (mail.account !== account || spared.includes(mail)) continue;
        if (mail.kind !== "invitation") mail.endedBy ??= event;
      }
    }
    if (event === "the end of the account") {
      this.accounts.delete(account.id);
      account.address = "";
    }
    this.done.add(`event: ${event}`);
  }

  /** An account is out of an organization. */
  remove(account: Account, organizationId: string): void {
    for (const one of this.credentials) {
      if (one.account !== account || one.organizationId !== organizationId) continue;
      if (ENDED_IN_ORGANIZATION.includes(one.kind)) one.endedBy ??= "a removal";
    }
    this.organizations.find(({ id }) => id === organizationId)?.guests
      .delete(readerOf(account.address));
    this.done.add("event: a removal");
  }

  /** A password of somebody's own: as many as they set. */
  newPassword(person: Person): string {
    const count = this.passwords.filter(({ by }) => by === person).length + 1;
    return `the password number ${count} of the ${person}`;
  }

  passwordOf(person: Person, account: Account | null): string {
    return this.passwords.findLast((one) => one.by === person && one.account === account)
      ?.password ?? `the first password of the ${person}`;
  }

  /** The account's password is this one from now on. */
  setPassword(by: Person, account: Account, password: string): void {
    this.passwords.push({ by, account, password });
  }

  /** Remembers every value of an answer for requests of the same person. */
  learn(person: Person, path: string, text: string): void {
    if (!text.startsWith("{") && !text.startsWith("[")) return;
    const known = this.seen.getOrInsertComputed(person, () => new Map<string, string[]>());
    for (const [name, value] of valuesIn(JSON.parse(text), nameOfId(path))) {
      known.getOrInsertComputed(name, () => []).push(value);
    }
  }

  /** What was answered does what a mailed link to a new password does. */
  keepReset(account: Account, token: string): void {
    this.mails.push({
      kind: "reset",
      to: account.address,
      at: this.now(),
      account,
      link: null,
      token,
      id: "",
      used: false,
      endedBy: null,
    });
  }

  addressFor(person: Person, place: number): string {
    const tried = TRIED[person];
    return tried[place % tried.length] ?? mailboxesOf(person)[0] ?? "";
  }

  async #settle(): Promise<void> {
    await this.api.settle();
    for (const { to, subject, text } of this.api.mails.slice(this.#received)) {
      this.#received += 1;
      this.mails.push({
        ...contentOf(subject, text),
        to,
        at: this.now(),
        account: this.accountAt(to),
        used: false,
        endedBy: null,
      });
    }
  }
}

function isHeld<T extends Credential>(held: object): held is T {
  return "kind" in held && "by" in held && "at" in held;
}

function keepCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const [name = "", ...value] = pair.split("=");
    if (attributes.some((one) => /^max-age=0$/i.test(one))) cookies.delete(name);
    else cookies.set(name, value.join("="));
  }
}

function parsedBody(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith("{")) return {};
  const parsed: unknown = JSON.parse(text);
  return isRecord(parsed) ? parsed : {};
}

const LINKS: readonly (readonly [RegExp, Mail["kind"]])[] = [
  [/accept-invitation/, "invitation"],
  [/magic-link/, "magic link"],
  [/reset-password/, "reset"],
  [/delete-user/, "deletion"],
];

function contentOf(subject: string, text: string): Pick<Mail, "kind" | "link" | "token" | "id"> {
  const url = /https:\/\/\S+/.exec(text)?.[0];
  const link = url === undefined ? null : new URL(url);
  const code = /\b[0-9]{6}\b/.exec(subject)?.[0];
  if (code !== undefined) return { kind: "code", link: null, token: code, id: "" };
  const query = link?.searchParams ?? new URLSearchParams();
  const kind = LINKS.find(([path]) => path.test(text))?.[1] ??
    (/new e-mail/i.test(subject)
      ? "change of address"
      : /verify-email/.test(text)
      ? "confirmation"
      : "notice");
  const written = /\n\n([\w-]+)\n/.exec(text)?.[1];
  return {
    kind,
    link: link && link.pathname + link.search,
    token: query.get("token") ?? /reset-password\/([^/?]+)/.exec(link?.pathname ?? "")?.[1] ??
      written ?? "",
    id: query.get("id") ?? query.get("invitationId") ?? /invitation (\w+),/.exec(text)?.[1] ?? "",
  };
}

/** What an `id` in the answer of a route is called elsewhere. */
const ID_NAMES: readonly (readonly [RegExp, string])[] = [
  [/api-key/, "keyId"],
  [/invit/, "invitationId"],
  [/client-grant/, "grantId"],
  [/team/, "teamId"],
  [/member/, "memberId"],
  [/organization/, "organizationId"],
  [/session/, "sessionId"],
  [/user/, "userId"],
];

function nameOfId(path: string): string {
  return ID_NAMES.find(([pattern]) => pattern.test(path))?.[1] ?? "id";
}

function* valuesIn(value: unknown, idName: string): Generator<readonly [string, string]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* valuesIn(item, idName);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "string") yield [name === "id" ? idName : name, member];
    else yield* valuesIn(member, name === "user" ? "userId" : idName);
  }
}
