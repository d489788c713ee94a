/** What the operator does to others' accounts, as `sysadmin`. */
import type { Account, Session } from "../secrets.ts";
import { SYSADMIN_EMAIL } from "../walked_api.ts";
import { AUTH, type World } from "../world.ts";
import { type Act, at } from "./act.ts";
import { enterByLink } from "./sign_in.ts";

/** Texts that name no role of the platform, though they look as if they did. */
const STRANGE_ROLES: readonly unknown[] = [
  "sysadmin ",
  " sysadmin",
  "Sysadmin",
  "sysadmin\t",
  ["sysadmin\u00a0"],
  "appmanager, sysadmin",
  "owner",
];

/** A session that was begun after the proof. */
async function operatorSession(world: World): Promise<Session | null> {
  const own = world.held("operator", "session").find(({ account, at, isImpersonation }) =>
    !isImpersonation && account.address === SYSADMIN_EMAIL && account.proved !== null &&
    at > account.proved.at
  );
  return own ?? await enterByLink(world, "operator", SYSADMIN_EMAIL);
}

/** What is done to somebody else's account by a route of `/admin`. */
function onAccount(
  { path, says, body = () => ({}), isFor = () => true, done }: {
    readonly path: string;
    readonly says: string;
    readonly body?: (world: World, second: number) => object;
    /** Default: any account is one for it. */
    readonly isFor?: (account: Account) => boolean;
    readonly done: (
      world: World,
      about: {
        readonly account: Account;
        readonly body: object;
        readonly cookies: Map<string, string>;
      },
    ) => void;
  },
): Act {
  return {
    subjects: ["the operator"],
    who: ["operator"],
    run: async (world, { first, second }) => {
      const others = [...world.accounts.values()].filter((one) =>
        one.address !== "" && one.address !== SYSADMIN_EMAIL && isFor(one)
      );
      const account = at(others.toReversed(), first);
      const session = account && await operatorSession(world);
      if (!session) return;
      const asked = body(world, second);
      // Another window, which may end up in another account.
      const cookies = new Map(session.cookies);
      const heard = await world.ask(`${AUTH}/admin/${path}`, {
        body: { userId: account.id, ...asked },
        cookies,
      });
      world.tell(`the operator ${says} ${account.address}`, heard.status);
      if (heard.status === 200) done(world, { account, body: asked, cookies });
    },
  };
}

const BAN = onAccount({
  path: "ban-user",
  says: "bans",
  done: (world, { account }) => {
    account.isBanned = true;
    world.happen(account, "a ban");
  },
});

const UNBAN = onAccount({
  path: "unban-user",
  says: "lifts the ban of",
  isFor: ({ isBanned }) => isBanned,
  done: (_world, { account }) => {
    account.isBanned = false;
  },
});

export const OPERATOR_ACTS: Readonly<Record<string, Act>> = {
  "sign in as the operator": {
    subjects: ["the operator"],
    who: ["operator"],
    run: async (world) => {
      await operatorSession(world);
    },
  },
  "set a password": onAccount({
    path: "set-user-password",
    says: "sets the password of",
    body: (world) => ({ newPassword: world.newPassword("operator") }),
    done: (world, { account }) => {
      world.happen(account, "an operator's password");
    },
  }),
  "ban": BAN,
  "lift a ban": {
    ...BAN,
    run: async (world, turn) => {
      if (![...world.accounts.values()].some(({ isBanned }) => isBanned)) {
        await BAN.run(world, turn);
      }
      await UNBAN.run(world, turn);
    },
  },
  "end all sessions": onAccount({
    path: "revoke-user-sessions",
    says: "ends all sessions of",
    done: (world, { account }) => {
      for (const one of world.credentials) {
        if (one.account === account && one.kind === "session") one.endedBy ??= "the operator";
      }
    },
  }),
  "remove an account": onAccount({
    path: "remove-user",
    says: "removes",
    done: (world, { account }) => world.happen(account, "the end of the account"),
  }),
  "give a strange platform role": onAccount({
    path: "set-role",
    says: "gives a strange platform role to",
    body: (_world, second) => ({ role: at(STRANGE_ROLES, second) }),
    done: (world, { body }) =>
      world.violate(`An account got the platform role ${JSON.stringify(body)}`),
  }),
  "act in a place": onAccount({
    path: "impersonate-user",
    says: "acts in the place of",
    done: (world, { account, cookies }) =>
      world.hold<Session>({
        kind: "session",
        by: "operator",
        account,
        organizationId: null,
        cookies,
        isImpersonation: true,
      }),
  }),
};
