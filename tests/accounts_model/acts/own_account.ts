/** What somebody does with an account that they are in, or whose mail they read. */
import { ADDRESSES, mailboxesOf, type Person, readerOf } from "../people.ts";
import type { Account, Mail, Session } from "../secrets.ts";
import { AUTH, type World } from "../world.ts";
import { URI } from "otpauth";
import { type Act, at } from "./act.ts";
import {
  codesOf,
  enterByLink,
  enterByPassword,
  ownSession,
  press,
  pressSignIn,
  sessionOf,
  signUp,
  usesUp,
} from "./sign_in.ts";

/** A session of that account that the person holds. */
function sessionIn(world: World, person: Person, account: Account | null): Session | undefined {
  return world.held(person, "session").find((one) => one.account === account);
}

async function reset(world: World, who: Person, mail: Mail): Promise<void> {
  const newPassword = world.newPassword(who);
  const heard = await world.ask(`${AUTH}/reset-password`, {
    body: { token: mail.token, newPassword },
  });
  world.tell(`the ${who} resets the password of ${mail.to}`, heard.status);
  const { account } = mail;
  if (!usesUp(world, mail, heard) || account === null) return;
  world.prove(account, who, true);
  world.happen(account, "a reset", [mail]);
  world.setPassword(who, account, newPassword);
}

/** Confirms with a session of the account, with a password, or by saying that the account is not one's own. */
async function confirm(
  world: World,
  who: Person,
  { mail, way }: { readonly mail: Mail; readonly way: number },
): Promise<void> {
  const { account } = mail;
  const session = sessionIn(world, who, account);
  const password = world.passwords.findLast((one) => one.by === who && one.account === account)
    ?.password;
  const takesOver = session === undefined && (password === undefined || way % 2 === 1);
  const heard = await press(world, mail, {
    ...(session ? { cookies: session.cookies } : {}),
    more: session ? {} : takesOver ? { takeOver: true } : { password },
  });
  const how = session ? "signed in" : takesOver ? "as no account of theirs" : "with the password";
  world.tell(`the ${who} confirms ${mail.to} ${how}`, heard.status);
  if (!usesUp(world, mail, heard) || !account) return;
  world.prove(account, who, takesOver);
  const { resetToken } = heard.body;
  // Whoever took the account over may choose its password.
  if (typeof resetToken === "string") world.keepReset(account, resetToken);
}

/** A session of the account that a mail is about, else of another account of whoever reads it. */
async function sessionFor(
  world: World,
  who: Person,
  { account, to }: Mail,
): Promise<Session | null> {
  const held = sessionIn(world, who, account) ?? world.held(who, "session")[0];
  const other = mailboxesOf(who).find((address) => address !== to);
  return held ?? (other === undefined ? null : await enterByLink(world, who, other));
}

async function askForAddress(world: World, session: Session, newEmail: string): Promise<void> {
  const { account, by } = session;
  const before = world.mails.length;
  const heard = await world.askAs(session, `${AUTH}/change-email`, { body: { newEmail } });
  world.tell(
    `the ${by} asks for the address ${newEmail} in place of ${account.address}`,
    heard.status,
  );
  for (const mail of world.mails.slice(before)) {
    if (mail.kind === "change of address") mail.account = account;
  }
}

async function confirmChange(world: World, who: Person, mail: Mail): Promise<void> {
  const { account } = mail;
  const session = await sessionFor(world, who, mail);
  const heard = await press(world, mail, session ? { cookies: session.cookies } : {});
  world.tell(`the ${who} confirms the new address ${mail.to}`, heard.status);
  if (!usesUp(world, mail, heard) || account === null) return;
  if (account !== session?.account) {
    const where = session ? "another account" : "no account";
    world.violate(`The ${who}, in ${where}, gave ${account.address} the address ${mail.to}`);
  }
  world.happen(account, "a change of address", [mail]);
  account.address = mail.to;
  world.prove(account, who, false);
}

/** A session of an account whose mail the person reads and whose password they have set. */
async function sessionWithPassword(world: World, who: Person): Promise<Session | null> {
  const own = await ownSession(world, who);
  const { account } = own ?? {};
  const hasSet = world.passwords.some((one) => one.account === account && one.by === who);
  if (!account || hasSet) return own;
  await resetPassword(world, who, account.address);
  return await enterByPassword(world, who, account.address);
}

async function enrol(world: World, session: Session): Promise<void> {
  const { account, by } = session;
  const password = world.passwordOf(by, account);
  const heard = await world.askAs(session, `${AUTH}/two-factor/enable`, { body: { password } });
  world.tell(`the ${by} asks for a second factor of ${account.address}`, heard.status);
  if (heard.status !== 200) return;
  const { backupCodes, totpURI } = heard.body;
  const factor = {
    by,
    secret: URI.parse(String(totpURI)).secret.base32,
    backupCodes: Array.isArray(backupCodes) ? backupCodes.map(String) : [],
    used: new Set<string>(),
  };
  const [code = ""] = codesOf(factor);
  const verified = await world.askAs(session, `${AUTH}/two-factor/verify-totp`, { body: { code } });
  world.tell(`the ${by} enrols with a code of the device`, verified.status);
  if (verified.status !== 200) return;
  factor.used.add(code);
  account.factor = factor;
}

/** Whoever has every session end goes on in one that has just begun. */
async function changePassword(world: World, session: Session, revokeOtherSessions: boolean) {
  const { account, by } = session;
  const newPassword = world.newPassword(by);
  const cookies = new Map(session.cookies);
  const heard = await world.ask(`${AUTH}/change-password`, {
    body: { currentPassword: world.passwordOf(by, account), newPassword, revokeOtherSessions },
    cookies,
  });
  world.tell(
    `the ${by} changes the password of ${account.address}${
      revokeOtherSessions ? ", and ends all sessions" : ""
    }`,
    heard.status,
  );
  if (heard.status !== 200) return;
  world.happen(account, "a change of password");
  world.setPassword(by, account, newPassword);
  if (!revokeOtherSessions) return;
  endSessions(world, account, "a change of password");
  world.hold<Session>({
    kind: "session",
    by,
    account,
    organizationId: null,
    cookies,
    isImpersonation: false,
  });
}

function endSessions(world: World, account: Account, by: string, spared?: Session): void {
  for (const one of world.credentials) {
    if (one.kind !== "session" || one.account !== account || one === spared) continue;
    one.endedBy ??= by;
  }
}

async function resetPassword(world: World, who: Person, email: string): Promise<void> {
  await askForReset(world, email);
  const [mail] = world.mailsOf(who, ["reset"]);
  if (mail) await reset(world, who, mail);
}

async function askForReset(world: World, email: string): Promise<void> {
  const heard = await world.ask(`${AUTH}/request-password-reset`, { body: { email } });
  world.tell(`somebody asks for a reset of ${email}`, heard.status);
}

async function confirmDeletion(world: World, who: Person, mail: Mail): Promise<void> {
  const { account } = mail;
  const session = await sessionFor(world, who, mail);
  const heard = await press(world, mail, session ? { cookies: session.cookies } : {});
  world.tell(`the ${who} confirms the deletion of ${mail.to}`, heard.status);
  if (!usesUp(world, mail, heard) || account === null) return;
  if (account !== session?.account) {
    world.violate(`The deletion of ${mail.to} was confirmed from another account`);
  }
  world.happen(account, "the end of the account", [mail]);
}

const USABLE: ReadonlySet<Mail["kind"]> = new Set([
  "magic link",
  "code",
  "confirmation",
  "reset",
  "change of address",
  "deletion",
]);

/** Does what a mail is for. */
async function use(world: World, who: Person, mail: Mail): Promise<void> {
  switch (mail.kind) {
    case "magic link":
    case "code":
      await pressSignIn(world, who, mail);
      return;
    case "reset":
      return await reset(world, who, mail);
    case "confirmation":
      return await confirm(world, who, { mail, way: 1 });
    case "change of address":
      return await confirmChange(world, who, mail);
    case "deletion":
      return await confirmDeletion(world, who, mail);
    case "invitation":
    case "notice":
      return;
  }
}

export const OWN_ACCOUNT_ACTS: Readonly<Record<string, Act>> = {
  "confirm an address": {
    subjects: ["every walk"],
    run: async (world, { who, first, second }) => {
      if (world.mailsOf(who, ["confirmation"]).length === 0) {
        await signUp(world, who, at(mailboxesOf(who), first) ?? "");
      }
      const mail = at(world.mailsOf(who, ["confirmation"]), first);
      if (mail) await confirm(world, who, { mail, way: second });
    },
  },
  "use an old link": {
    subjects: ["passwords", "addresses"],
    run: async (world, { first }) => {
      const mails = world.mails.filter(({ kind }) => USABLE.has(kind)).toReversed();
      const ended = mails.filter(({ used, endedBy }) => !used && endedBy !== null);
      const mail = at([...ended, ...mails.filter(({ used }) => used)], first);
      if (mail) await use(world, readerOf(mail.to), mail);
    },
  },
  "sign out": {
    subjects: ["every walk"],
    run: async (world, { who, first }) => {
      const session = at(world.held(who, "session"), first);
      if (!session) return;
      // Whoever copied the cookie has it still.
      const cookies = new Map(session.cookies);
      const heard = await world.ask(`${AUTH}/sign-out`, { body: {}, cookies });
      world.tell(`the ${who} signs out of ${session.account.address}`, heard.status);
      if (heard.status === 200) session.endedBy = "a sign-out";
    },
  },
  "ask for a reset": {
    subjects: ["passwords"],
    run: async (world, { who, first }) => {
      const email = world.addressFor(who, first);
      if (world.accountAt(email) === null) await sessionOf(world, who, first);
      await askForReset(world, email);
    },
  },
  "reset": {
    subjects: ["passwords"],
    run: async (world, { who, first, second }) => {
      const open = world.mails.filter(({ kind, used }) => kind === "reset" && !used);
      const mail = at(open.toReversed(), first);
      const email = mail?.to ?? at(mailboxesOf(who), first) ?? "";
      // Somebody who has asked twice uses either mail.
      if (!mail || second % 2 === 0) await resetPassword(world, readerOf(email), email);
      else await reset(world, readerOf(email), mail);
    },
  },
  "change a password": {
    subjects: ["passwords"],
    run: async (world, { who, first, second }) => {
      const session = await sessionOf(world, who, first);
      if (session) await changePassword(world, session, second % 2 === 0);
    },
  },
  "end other sessions": {
    subjects: ["passwords"],
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const heard = await world.askAs(session, `${AUTH}/revoke-other-sessions`, { body: {} });
      world.tell(`the ${who} ends other sessions of ${session.account.address}`, heard.status);
      if (heard.status !== 200) return;
      endSessions(world, session.account, "the end of other sessions", session);
    },
  },
  "ask for another address": {
    subjects: ["addresses"],
    run: async (world, { who, first, second }) => {
      const session = await sessionOf(world, who, first);
      if (session) await askForAddress(world, session, at(ADDRESSES, second) ?? "");
    },
  },
  "confirm another address": {
    subjects: ["addresses"],
    run: async (world, { who, first }) => {
      if (world.mailsOf(who, ["change of address"]).length === 0) {
        const session = await ownSession(world, who);
        const other = mailboxesOf(who).find((address) => address !== session?.account.address);
        if (session && other !== undefined) await askForAddress(world, session, other);
      }
      const mail = at(world.mailsOf(who, ["change of address"]), first);
      if (mail) await confirmChange(world, who, mail);
    },
  },
  "ask for a deletion": {
    subjects: ["addresses"],
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const heard = await world.askAs(session, `${AUTH}/delete-user`, { body: {} });
      world.tell(`the ${who} asks for the end of ${session.account.address}`, heard.status);
    },
  },
  "confirm a deletion": {
    subjects: ["addresses"],
    run: async (world, { who, first }) => {
      const mail = at(world.mailsOf(who, ["deletion"]), first);
      if (mail) await confirmDeletion(world, who, mail);
    },
  },
  "enrol a device": {
    subjects: ["second factors"],
    run: async (world, { who, second }) => {
      const session = second % 2 === 0
        ? await sessionWithPassword(world, who)
        : await sessionOf(world, who, second);
      if (session) await enrol(world, session);
    },
  },
  "sign in with the device": {
    subjects: ["second factors"],
    run: async (world, { who, first }) => {
      const isOwn = ({ factor }: Account) => factor?.by === who;
      if (![...world.accounts.values()].some(isOwn)) {
        const session = await sessionWithPassword(world, who);
        if (session) await enrol(world, session);
      }
      const account = at([...world.accounts.values()].filter(isOwn), first);
      if (account) await enterByPassword(world, who, account.address);
    },
  },
  "give up the device": {
    subjects: ["second factors"],
    run: async (world, { who, first }) => {
      const session = at(world.held(who, "session").filter(({ account }) => account.factor), first);
      if (!session) return;
      const password = world.passwordOf(who, session.account);
      const heard = await world.askAs(session, `${AUTH}/two-factor/disable`, {
        body: { password },
      });
      world.tell(
        `the ${who} gives up the second factor of ${session.account.address}`,
        heard.status,
      );
      if (heard.status === 200) session.account.factor = null;
    },
  },
};
