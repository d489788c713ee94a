/** Signing up and in, by password, by what was mailed, and through a provider. */
import { TOTP } from "otpauth";
import { mailboxesOf, type Person, readerOf } from "../people.ts";
import type { Account, Device, Factor, Mail, Session } from "../secrets.ts";
import { PROVIDER } from "../walked_project.ts";
import { isRecord } from "../../support/api.ts";
import { AUTH, type Heard, type World } from "../world.ts";
import { type Act, at } from "./act.ts";

/** A browser with what makes it a trusted device of the person, if anything does. */
function newBrowser(world: World, person: Person): Map<string, string> {
  const [device] = world.held(person, "trusted device");
  return new Map(device?.cookies);
}

/** Somebody's session, the latest first; whoever has none signs up, or in by mail where the mail is theirs. */
export async function sessionOf(
  world: World,
  person: Person,
  place: number,
): Promise<Session | null> {
  const held = at(world.held(person, "session"), place);
  if (held) return held;
  const address = world.addressFor(person, place);
  return readerOf(address) === person
    ? await enterByLink(world, person, address)
    : await signUp(world, person, address);
}

/** A session in which the person acts in their own account, whose mail they read. */
export async function ownSession(world: World, person: Person): Promise<Session | null> {
  const [own] = world.held(person, "session").filter(({ account, isImpersonation }) =>
    !isImpersonation && account.address !== "" && readerOf(account.address) === person
  );
  const [address = ""] = mailboxesOf(person);
  return own ?? await enterByLink(world, person, address);
}

export async function signUp(
  world: World,
  person: Person,
  address: string,
): Promise<Session | null> {
  const password = world.newPassword(person);
  const cookies = newBrowser(world, person);
  const heard = await world.ask(`${AUTH}/sign-up/email`, {
    body: { name: person, email: address, password },
    cookies,
  });
  world.tell(`the ${person} signs up as ${address}`, heard.status);
  const session = entered(world, person, { heard, cookies });
  if (session) world.setPassword(person, session.account, password);
  return session;
}

export async function enterByPassword(
  world: World,
  person: Person,
  address: string,
): Promise<Session | null> {
  const password = world.passwordOf(person, world.accountAt(address));
  const cookies = newBrowser(world, person);
  const heard = await world.ask(`${AUTH}/sign-in/email`, {
    body: { email: address, password },
    cookies,
  });
  world.tell(`the ${person} signs in as ${address} with "${password}"`, heard.status);
  return await afterFactor(world, person, { heard, cookies, address });
}

export async function enterByLink(
  world: World,
  person: Person,
  address: string,
): Promise<Session | null> {
  const before = world.mails.length;
  const heard = await world.ask(`${AUTH}/sign-in/magic-link`, { body: { email: address } });
  world.tell(`somebody asks for a link to sign in as ${address}`, heard.status);
  const mail = world.mails.slice(before).find(({ kind }) => kind === "magic link");
  return mail ? await pressSignIn(world, person, mail) : null;
}

/** Presses the button of a link that signs in, or types the code. */
export async function pressSignIn(
  world: World,
  person: Person,
  mail: Mail,
): Promise<Session | null> {
  const cookies = newBrowser(world, person);
  const heard = mail.kind === "code"
    ? await world.ask(`${AUTH}/sign-in/email-otp`, {
      body: { email: mail.to, otp: mail.token },
      cookies,
    })
    : await press(world, mail, { cookies });
  world.tell(`the ${person} uses the ${mail.kind} that was mailed to ${mail.to}`, heard.status);
  if (!usesUp(world, mail, heard)) return null;
  const account = accountIn(world, heard) ?? world.accountAt(mail.to);
  if (account) world.prove(account, person, true);
  return await afterFactor(world, person, { heard, cookies, address: mail.to });
}

/** Sends what the button of a mailed link sends. */
export async function press(
  world: World,
  mail: Mail,
  { cookies, more = {} }: {
    readonly cookies?: Map<string, string>;
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<Heard> {
  const path = mail.link?.split("?")[0] ?? "";
  return await world.ask(path, {
    body: { token: mail.token, ...more },
    ...(cookies ? { cookies } : {}),
  });
}

/** Marks what was mailed as used, where it did something; ends the walk where it must not have. */
export function usesUp(world: World, mail: Mail, heard: Heard): boolean {
  if (heard.status >= 400) return false;
  if (mail.used) world.violate(`The ${mail.kind} mailed to ${mail.to} worked twice`);
  if (mail.endedBy !== null) {
    world.violate(`The ${mail.kind} mailed to ${mail.to} worked after ${mail.endedBy}`);
  }
  mail.used = true;
  return true;
}

/** The account that an answer tells of. */
function accountIn(world: World, { body }: Heard): Account | null {
  const { user } = body;
  return isRecord(user) && typeof user["id"] === "string"
    ? world.account(user["id"], String(user["email"]))
    : null;
}

interface Entry {
  readonly heard: Heard;
  readonly cookies: Map<string, string>;
}

/** The session that an answer began; null: none. */
function entered(world: World, by: Person, { heard, cookies }: Entry): Session | null {
  const account = accountIn(world, heard);
  const isIn = [...cookies.keys()].some((name) => name.endsWith("session_token"));
  if (heard.status !== 200 || account === null || !isIn) return null;
  world.learn(by, `${AUTH}/user`, heard.text);
  return world.hold<Session>({
    kind: "session",
    by,
    account,
    organizationId: null,
    cookies,
    isImpersonation: false,
  });
}

/** The session of whoever has given the second factor too, where the account asks for one. */
async function afterFactor(
  world: World,
  person: Person,
  { heard, cookies, address }: Entry & { readonly address: string },
): Promise<Session | null> {
  if (heard.status === 200 && heard.body["twoFactorRedirect"] !== true) {
    return entered(world, person, { heard, cookies });
  }
  const account = world.accountAt(address);
  if (heard.status !== 200 || account === null) return null;
  const { factor } = account;
  if (factor === null || factor.by !== person) {
    if (account.proved?.by === person) {
      world.violate(`The ${person} is asked for a second factor that is not theirs`);
    }
    return null;
  }
  return await giveFactor(world, person, { account, factor, cookies });
}

async function giveFactor(
  world: World,
  person: Person,
  { account, factor, cookies }: {
    readonly account: Account;
    readonly factor: Factor;
    readonly cookies: Map<string, string>;
  },
): Promise<Session | null> {
  for (const code of codesOf(factor)) {
    const isBackup = factor.backupCodes.includes(code);
    const heard = await world.ask(
      `${AUTH}/two-factor/verify-${isBackup ? "backup-code" : "totp"}`,
      { body: { code, trustDevice: true }, cookies },
    );
    world.tell(
      `the ${person} gives a ${isBackup ? "backup code" : "code of the device"}`,
      heard.status,
    );
    if (heard.status !== 200) continue;
    if (factor.used.has(code)) {
      world.violate(`A ${isBackup ? "backup code" : "code of a device"} worked twice`);
    }
    factor.used.add(code);
    const session = entered(world, person, { heard, cookies });
    const trust = [...cookies].filter(([name]) => name.endsWith("trust_device"));
    if (session && trust.length > 0) {
      world.hold<Device>({
        kind: "trusted device",
        by: person,
        account,
        organizationId: null,
        cookies: new Map(trust),
      });
    }
    return session;
  }
  return null;
}

const STEP_MS = 30_000;

/** Codes that may be good, the used ones first: none of those may work. */
export function codesOf(factor: Factor): readonly string[] {
  const device = new TOTP({ secret: factor.secret });
  const now = Date.now();
  const shown = [-STEP_MS, 0, STEP_MS].map((late) => device.generate({ timestamp: now + late }));
  const used = [...factor.used].slice(-2);
  return [...used, ...[...shown, ...factor.backupCodes].filter((code) => !factor.used.has(code))]
    .slice(0, used.length + 4);
}

/** Ways of a provider not to say that an address is proved. */
const UNPROVED: readonly Readonly<Record<string, unknown>>[] = [
  { email_verified: false },
  { email_verified: "false" },
  { email_verified: 1 },
  { email_verified: [] },
  { email_verified: undefined, emailVerified: true },
];

async function enterByProvider(
  world: World,
  person: Person,
  { address, flavour }: { readonly address: string; readonly flavour: number },
): Promise<void> {
  const { provider } = world.api;
  const isProved = readerOf(address) === person;
  provider.user = { sub: `${person} ${address}`, email: address, email_verified: isProved };
  provider.wrong = isProved ? {} : at(UNPROVED, flavour) ?? {};
  const cookies = newBrowser(world, person);
  const begun = await world.ask(`${AUTH}/sign-in/social`, {
    body: { provider: PROVIDER, callbackURL: "/welcome", errorCallbackURL: "/failed" },
    cookies,
  });
  const back = await provider.visit(String(begun.body["url"]));
  const heard = await world.ask(back.pathname + back.search, { cookies });
  const claims = JSON.stringify(isProved ? { email_verified: true } : provider.wrong);
  world.tell(`the ${person} comes from a provider as ${address} with ${claims}`, heard.status);
  const who = await world.ask(`${AUTH}/get-session`, { cookies });
  const account = accountIn(world, who);
  if (account === null) return;
  if (isProved) world.prove(account, person, true);
  entered(world, person, { heard: who, cookies });
}

async function askForMail(world: World, path: string, body: object, what: string) {
  const heard = await world.ask(AUTH + path, { body });
  world.tell(what, heard.status);
}

export const SIGN_IN_ACTS: Readonly<Record<string, Act>> = {
  "sign up": {
    subjects: ["every walk"],
    run: async (world, { who, first }) => {
      await signUp(world, who, world.addressFor(who, first));
    },
  },
  "sign in by password": {
    subjects: ["every walk"],
    run: async (world, { who, first }) => {
      await enterByPassword(world, who, world.addressFor(who, first));
    },
  },
  "sign in by link": {
    subjects: ["every walk"],
    run: async (world, { who, first }) => {
      const address = at(mailboxesOf(who), first) ?? "";
      await enterByLink(world, who, address);
    },
  },
  "ask for a link or a code": {
    subjects: ["every walk"],
    run: async (world, { who, first, second }) => {
      const email = world.addressFor(who, first);
      await (second % 2 === 0
        ? askForMail(
          world,
          "/email-otp/send-verification-otp",
          { email, type: "sign-in" },
          `somebody asks for a code to sign in as ${email}`,
        )
        : askForMail(
          world,
          "/sign-in/magic-link",
          { email },
          `somebody asks for a link to sign in as ${email}`,
        ));
    },
  },
  "use a link or a code": {
    subjects: ["every walk"],
    run: async (world, { who, first }) => {
      const mail = at(world.mailsOf(who, ["magic link", "code"]), first);
      if (mail) await pressSignIn(world, who, mail);
    },
  },
  "come from a provider": {
    subjects: ["providers"],
    run: (world, { who, first, second }) =>
      enterByProvider(world, who, { address: world.addressFor(who, first), flavour: second }),
  },
};
