/** What somebody does with an account that they are in, or whose mail they read. */
import { ADDRESSES, mailboxesOf, type Person } from "../people.ts";
import type { Account, Mail, Session } from "../secrets.ts";
import { AUTH, type World } from "../world.ts";
import { URI } from "otpauth";
import { type Act, at } from "./act.ts";
import { codesOf, enterByPassword, press, sessionOf, usesUp } from "./sign_in.ts";

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
  if (usesUp(world, mail, heard) && account) world.prove(account, who, takesOver);
}

async function confirmChange(world: World, who: Person, mail: Mail): Promise<void> {
  // Whoever reads the new address has a session of the account, or has none.
  const session = world.held(who, "session")[0];
  const heard = await press(world, mail, session ? { cookies: session.cookies } : {});
  world.tell(`the ${who} confirms the new address ${mail.to}`, heard.status);
  if (!usesUp(world, mail, heard)) return;
  const account = movedTo.get(mail);
  if (account === undefined) return;
  if (account !== session?.account) {
    world.violate(
      `The ${who}, in ${
        session ? "another account" : "no account"
      }, gave ${account.address} the address ${mail.to}`,
    );
  }
  world.happen(account, "a change of address", [mail]);
  account.address = mail.to;
  world.prove(account, who, false);
}

/** Accounts that are to have the address to which a mail went. */
const movedTo = new WeakMap<Mail, Account>();

async function confirmDeletion(world: World, who: Person, mail: Mail): Promise<void> {
  const { account } = mail;
  const session = world.held(who, "session")[0];
  const heard = await press(world, mail, session ? { cookies: session.cookies } : {});
  world.tell(`the ${who} confirms the deletion of ${mail.to}`, heard.status);
  if (!usesUp(world, mail, heard) || account === null) return;
  if (account !== session?.account) {
    world.violate(`The deletion of ${mail.to} was confirmed from another account`);
  }
  world.happen(account, "the end of the account", [mail]);
}

export const OWN_ACCOUNT_ACTS: Readonly<Record<string, Act>> = {
  "confirm an address": {
    subject: "every walk",
    run: async (world, { who, first, second }) => {
      const mail = at(world.mailsOf(who, ["confirmation"]), first);
      if (mail) await confirm(world, who, { mail, way: second });
    },
  },
  "sign out": {
    subject: "every walk",
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
    subject: "passwords",
    run: async (world, { who, first }) => {
      const email = world.addressFor(who, first);
      const heard = await world.ask(`${AUTH}/request-password-reset`, { body: { email } });
      world.tell(`somebody asks for a reset of ${email}`, heard.status);
    },
  },
  "reset": {
    subject: "passwords",
    run: async (world, { who, first }) => {
      if (world.mailsOf(who, ["reset"]).length === 0) {
        const email = at(mailboxesOf(who), first) ?? "";
        const heard = await world.ask(`${AUTH}/request-password-reset`, { body: { email } });
        world.tell(`somebody asks for a reset of ${email}`, heard.status);
      }
      const mail = at(world.mailsOf(who, ["reset"]), first);
      if (mail) await reset(world, who, mail);
    },
  },
  "change a password": {
    subject: "passwords",
    run: async (world, { who, first, second }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const { account } = session;
      const newPassword = world.newPassword(who);
      const revokeOtherSessions = second % 2 === 0;
      const heard = await world.askAs(session, `${AUTH}/change-password`, {
        body: {
          currentPassword: world.passwordOf(who, account),
          newPassword,
          revokeOtherSessions,
        },
      });
      world.tell(`the ${who} changes the password of ${account.address}`, heard.status);
      if (heard.status !== 200) return;
      world.happen(account, "a change of password");
      world.setPassword(who, account, newPassword);
      if (!revokeOtherSessions) return;
      for (const other of world.credentials) {
        if (other.kind !== "session" || other === session || other.account !== account) continue;
        other.endedBy ??= "a change of password";
      }
    },
  },
  "end other sessions": {
    subject: "passwords",
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const heard = await world.askAs(session, `${AUTH}/revoke-other-sessions`, { body: {} });
      world.tell(`the ${who} ends other sessions of ${session.account.address}`, heard.status);
      if (heard.status !== 200) return;
      for (const other of world.credentials) {
        if (other.kind !== "session" || other === session) continue;
        if (other.account === session.account) other.endedBy ??= "the end of other sessions";
      }
    },
  },
  "ask for another address": {
    subject: "addresses",
    run: async (world, { who, first, second }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const newEmail = at(ADDRESSES, second) ?? "";
      const before = world.mails.length;
      const heard = await world.askAs(session, `${AUTH}/change-email`, { body: { newEmail } });
      world.tell(
        `the ${who} asks for the address ${newEmail} in place of ${session.account.address}`,
        heard.status,
      );
      for (const mail of world.mails.slice(before)) {
        if (mail.kind === "change of address") movedTo.set(mail, session.account);
      }
    },
  },
  "confirm another address": {
    subject: "addresses",
    run: async (world, { who, first }) => {
      const mail = at(world.mailsOf(who, ["change of address"]), first);
      if (mail) await confirmChange(world, who, mail);
    },
  },
  "ask for a deletion": {
    subject: "addresses",
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const heard = await world.askAs(session, `${AUTH}/delete-user`, { body: {} });
      world.tell(`the ${who} asks for the end of ${session.account.address}`, heard.status);
    },
  },
  "confirm a deletion": {
    subject: "addresses",
    run: async (world, { who, first }) => {
      const mail = at(world.mailsOf(who, ["deletion"]), first);
      if (mail) await confirmDeletion(world, who, mail);
    },
  },
  "enrol a device": {
    subject: "second factors",
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (!session) return;
      const { account } = session;
      const password = world.passwordOf(who, account);
      const heard = await world.askAs(session, `${AUTH}/two-factor/enable`, { body: { password } });
      world.tell(`the ${who} asks for a second factor of ${account.address}`, heard.status);
      if (heard.status !== 200) return;
      const { backupCodes, totpURI } = heard.body;
      const factor = {
        by: who,
        secret: URI.parse(String(totpURI)).secret.base32,
        backupCodes: Array.isArray(backupCodes) ? backupCodes.map(String) : [],
        used: new Set<string>(),
      };
      const [code = ""] = codesOf(factor);
      const verified = await world.askAs(session, `${AUTH}/two-factor/verify-totp`, {
        body: { code },
      });
      world.tell(`the ${who} enrols with a code of the device`, verified.status);
      if (verified.status !== 200) return;
      factor.used.add(code);
      account.factor = factor;
    },
  },
  "sign in with the device": {
    subject: "second factors",
    run: async (world, { who, first }) => {
      const enrolled = [...world.accounts.values()].filter(({ factor }) => factor?.by === who);
      const account = at(enrolled, first);
      if (account) await enterByPassword(world, who, account.address);
    },
  },
  "give up the device": {
    subject: "second factors",
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
