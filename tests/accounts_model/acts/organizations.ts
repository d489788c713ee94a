/** Organizations: who founds them, who is let in, with which role, and who goes. */
import { ADDRESSES, type Person, readerOf } from "../people.ts";
import type { Mail, Organization, Program, Session } from "../secrets.ts";
import { isRecord } from "../../support/api.ts";
import { AUTH, type World } from "../world.ts";
import { type Act, at } from "./act.ts";
import { holderOf, inSession, makeKey, organizationOf } from "./credentials.ts";
import { ownSession, sessionOf } from "./sign_in.ts";

/** Texts that name no role of the project, though they look as if they did, or name more than one in one text. */
export const STRANGE_ROLES: readonly unknown[] = [
  "owner ",
  " admin",
  "owner\t",
  "Owner",
  "member, owner",
  ["owner "],
  "owner\u00a0",
  "sysadmin",
  "",
];

const ROLES: readonly unknown[] = ["member", "admin", "owner", "agent", ["member", "agent"]];

export async function found(world: World, session: Session): Promise<Organization | null> {
  const slug = `house-${world.now()}`;
  const { by, account } = session;
  const heard = await world.askAs(session, `${AUTH}/organization/create`, {
    body: { name: "A house", slug },
  });
  world.tell(`the ${by} founds ${slug} as ${account.address}`, heard.status);
  if (heard.status !== 200) return null;
  const organization: Organization = {
    id: String(heard.body["id"]),
    slug,
    by,
    account,
    at: world.now(),
    guests: new Set(),
    joined: new Set(),
  };
  world.organizations.push(organization);
  world.done.add("makes: organization");
  return organization;
}

/** An organization of the person's own account, in a session that may invite to it. */
async function hostOf(world: World, who: Person) {
  return await hostIn(world, await ownSession(world, who));
}

/** An organization of the session's account. */
async function hostIn(world: World, session: Session | null) {
  if (!session) return null;
  const own = world.organizations.findLast(({ account }) => account === session.account);
  const organization = own ?? await found(world, session);
  return organization && { session, organization };
}

async function invite(
  world: World,
  { session, organization }: {
    readonly session: Session;
    readonly organization: Organization;
  },
  { email, role }: { readonly email: string; readonly role: unknown },
): Promise<Mail | null> {
  const before = world.mails.length;
  const heard = await world.askAs(session, `${AUTH}/organization/invite-member`, {
    body: { email, role, organizationId: organization.id },
  });
  const said = `${email} to ${organization.slug} as ${JSON.stringify(role)}`;
  world.tell(`the ${session.by} invites ${said}`, heard.status);
  if (heard.status !== 200) return null;
  if (STRANGE_ROLES.includes(role)) {
    world.violate(`An invitation took the role ${JSON.stringify(role)}`);
  }
  organization.guests.add(readerOf(email));
  const mail = world.mails.slice(before).find(({ kind }) => kind === "invitation");
  return mail ? Object.assign(mail, { id: String(heard.body["id"]) }) : null;
}

/** By the token that was mailed, or by the id that its inviter knows too. */
async function accept(
  world: World,
  who: Person,
  { mail, byToken }: { readonly mail: Mail; readonly byToken: boolean },
): Promise<void> {
  const [session] = world.held(who, "session").filter(({ account }) => account.address === mail.to);
  if (!session) return;
  const token = byToken && mail.token !== "" ? { token: mail.token } : {};
  const heard = await world.askAs(session, `${AUTH}/organization/accept-invitation`, {
    body: { invitationId: mail.id, ...token },
  });
  world.tell(
    `the ${who} accepts the invitation of ${mail.to} ${
      "token" in token ? "with the mailed token" : "by its id"
    }`,
    heard.status,
  );
  if (heard.status !== 200) return;
  if (mail.used) world.violate(`An invitation of ${mail.to} was accepted twice`);
  mail.used = true;
  const isReader = readerOf(mail.to) === who;
  if (isReader && "token" in token) world.prove(session.account, who, false);
  const organization = world.organizations.find(({ id }) => heard.text.includes(id));
  if (!isReader || !organization) return;
  organization.joined.add(who);
  organization.guests.add(who);
}

/** Somebody else's own account, as a member of the organization. */
async function guestIn(
  world: World,
  host: Person,
  { guest, house: given }: {
    readonly guest: Person;
    readonly house?: Awaited<ReturnType<typeof hostIn>>;
  },
) {
  const house = given ?? await hostOf(world, host);
  const session = house && await ownSession(world, guest);
  if (!house || !session) return null;
  const mail = await invite(world, house, { email: session.account.address, role: "member" });
  if (mail) await accept(world, guest, { mail, byToken: true });
  return { ...house, guest: session };
}

/** For something without an account, which reads what the organization shows it. */
async function mintScope(world: World, session: Session): Promise<void> {
  const heard = await world.askAs(session, "/api/v1/token/scope", { body: { scope: "desk" } });
  world.tell(`the ${session.by} gets a scope token as ${session.account.address}`, heard.status);
  if (heard.status !== 200) return;
  world.hold<Program>({
    ...await holderOf(world, session),
    kind: "scope token",
    id: "",
    headers: { authorization: `Bearer ${String(heard.body["token"])}` },
  });
}

/** Invitations of addresses in whose accounts somebody is, the latest first. */
function invitationsOfHeld(world: World, who: Person): readonly Mail[] {
  const held = world.held(who, "session").map(({ account }) => account.address);
  return world.mails.filter(({ kind, to }) => kind === "invitation" && held.includes(to))
    .toReversed();
}

/** The host invites the address of the account that somebody is in. */
async function invitedBy(world: World, host: Person, guest: Session | null): Promise<Mail | null> {
  const house = guest && await hostOf(world, host);
  return house && await invite(world, house, { email: guest.account.address, role: "member" });
}

const HOSTS = ["owner", "other stranger", "stranger", "operator"] as const;

function guestOf(host: Person, place: number): Person {
  const others: readonly Person[] = HOSTS.filter((person) => person !== host).toReversed();
  return at(others, place + 1) ?? "stranger";
}

export const ORGANIZATION_ACTS: Readonly<Record<string, Act>> = {
  "found an organization": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const session = await sessionOf(world, who, first);
      if (session) await found(world, session);
    },
  },
  "invite": {
    subjects: ["organizations"],
    run: async (world, { who, first, second }) => {
      const isOwn = second % 2 === 0;
      const house =
        await (isOwn ? hostOf(world, who) : hostIn(world, await sessionOf(world, who, first)));
      const role = at(ROLES, second);
      if (house) await invite(world, house, { email: at(ADDRESSES, first) ?? "", role });
    },
  },
  "accept with the mailed token": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const mail = at(world.mailsOf(who, ["invitation"]), first);
      if (!mail) return;
      await ownSession(world, who);
      await accept(world, who, { mail, byToken: true });
    },
  },
  "accept by the id": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const mail = at(invitationsOfHeld(world, who), first) ?? await invitedBy(
        world,
        guestOf(who, first),
        await sessionOf(world, who, first),
      );
      if (mail) await accept(world, who, { mail, byToken: false });
    },
  },
  "get a scope token": inSession("programs", async (world, session, second) => {
    if (second % 2 === 0 && await organizationOf(world, session) === null) {
      await found(world, session);
    }
    await mintScope(world, session);
  }),
  "let somebody in, who makes a key": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const met = await guestIn(world, who, { guest: guestOf(who, first) });
      if (met) await makeKey(world, met.guest);
    },
  },
  "let somebody in": {
    subjects: ["organizations"],
    run: async (world, { who, first, second }) => {
      const session = second % 2 === 0 ? await sessionOf(world, who, first) : null;
      const house = await hostIn(world, session);
      await guestIn(world, who, { guest: guestOf(who, first), house });
    },
  },
  "remove a member": {
    subjects: ["organizations"],
    run: async (world, { first }) => {
      const organization = at(
        world.organizations.filter(({ guests }) => guests.size > 0).toReversed(),
        first,
      );
      const session = world.held(null, "session").find(({ account, by }) =>
        account === organization?.account && by === organization.by
      );
      if (!organization || !session) return;
      const guest = [...world.accounts.values()].find((account) =>
        account !== session.account && account.address !== "" &&
        organization.guests.has(readerOf(account.address))
      );
      if (!guest) return;
      const heard = await world.askAs(session, `${AUTH}/organization/remove-member`, {
        body: { memberIdOrEmail: guest.address, organizationId: organization.id },
      });
      const said = `${guest.address} from ${organization.slug}`;
      world.tell(`the ${session.by} removes ${said}`, heard.status);
      if (heard.status === 200) world.remove(guest, organization.id);
    },
  },
  "leave": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const session = at(world.held(who, "session"), first);
      const organization = world.organizations.findLast(({ joined }) => joined.has(who));
      if (!session || !organization) return;
      const heard = await world.askAs(session, `${AUTH}/organization/leave`, {
        body: { organizationId: organization.id },
      });
      world.tell(`the ${who} leaves ${organization.slug}`, heard.status);
      if (heard.status === 200) world.remove(session.account, organization.id);
    },
  },
  "delete an organization": {
    subjects: ["organizations"],
    run: async (world, { who, first }) => {
      const session = at(world.held(who, "session"), first);
      const own = world.organizations.findLast(({ account }) => account === session?.account);
      if (!session || !own) return;
      const heard = await world.askAs(session, `${AUTH}/organization/delete?purge=true`, {
        body: { organizationId: own.id },
      });
      world.tell(`the ${who} deletes ${own.slug}`, heard.status);
      if (heard.status < 300) world.organizations.splice(world.organizations.indexOf(own), 1);
    },
  },
  "invite with a strange role": {
    subjects: ["roles"],
    run: async (world, { who, first, second }) => {
      const house = await hostOf(world, who);
      const email = at(["other@example.com", "stranger@example.com", "owner@example.com"], first);
      if (house && email !== undefined) {
        await invite(world, house, { email, role: at(STRANGE_ROLES, second) });
      }
    },
  },
  "give a member a strange role": {
    subjects: ["roles"],
    run: async (world, { who, first, second }) => {
      const met = await guestIn(world, who, { guest: guestOf(who, first) });
      if (!met) return;
      const role = at(STRANGE_ROLES, second);
      const listed = await world.askAs(
        met.session,
        `${AUTH}/organization/list-members?organizationId=${met.organization.id}`,
      );
      const { members } = listed.body;
      const member = (Array.isArray(members) ? members : []).find((one) =>
        isRecord(one) && one["userId"] === met.guest.account.id
      );
      if (!isRecord(member)) return;
      const memberId = member["id"];
      const heard = await world.askAs(met.session, `${AUTH}/organization/update-member-role`, {
        body: { memberId, role, organizationId: met.organization.id },
      });
      world.tell(`the ${who} gives a member the role ${JSON.stringify(role)}`, heard.status);
      if (heard.status === 200) world.violate(`A member got the role ${JSON.stringify(role)}`);
    },
  },
};
