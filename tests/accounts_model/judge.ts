/**
 * What must hold at the end of every walk: whoever never read the mail of an address and never knew the password set after
 * its proof reaches nothing that was written after the proof, and holds no role of it; what an event ended stays ended.
 */
import { type Person, readerOf } from "./people.ts";
import { refresh } from "./acts/credentials.ts";
import { enterByLink } from "./acts/sign_in.ts";
import type { Account, Credential, Session } from "./secrets.ts";
import { SYSADMIN_EMAIL } from "./walked_api.ts";
import { AUTH, type World } from "./world.ts";

/** What was written in an account after its proof, by whoever reads its mail. */
interface Written {
  readonly text: string;
  readonly account: Account;
  readonly by: Person;
  /** Null: for the account alone. */
  readonly organizationId: string | null;
}

/** Longer than rights may be remembered, in seconds. */
const RIGHTS_MAX_AGE = 5;

/** Throws a `Violation` when somebody reaches what they must not. */
export async function judge(world: World): Promise<void> {
  const writers: Session[] = [];
  for (const account of [...world.accounts.values()]) {
    const session = await rightfulSession(world, account);
    if (session) writers.push(session);
  }
  await world.api.elapse(RIGHTS_MAX_AGE);
  const written: Written[] = [];
  for (const session of writers) written.push(...await write(world, session));
  await world.api.deliver();
  await world.api.settle();
  for (const credential of world.credentials) {
    const heard = await reach(world, credential);
    judgeReach(world, credential, { heard, written });
  }
  await tryPasswords(world);
  const [failure] = world.api.failures;
  if (failure) {
    world.violate(`The service failed: ${failure.message} ${String(failure.error ?? "")}`);
  }
}

/** A session that whoever reads the account's mail has, or begins now; null where nobody has proved it. */
async function rightfulSession(world: World, account: Account): Promise<Session | null> {
  const { proved, address, isBanned } = account;
  if (proved === null || isBanned || address === "" || readerOf(address) !== proved.by) return null;
  for (const session of world.held(proved.by, "session")) {
    if (session.account !== account || session.isImpersonation) continue;
    const { text } = await world.askAs(session, `${AUTH}/get-session`);
    if (text.includes(account.id)) return session;
  }
  const session = await enterByLink(world, proved.by, address);
  return session?.account === account ? session : null;
}

/** Writes for the account alone, and in the organization that its session acts in. */
async function write(world: World, session: Session): Promise<readonly Written[]> {
  const { account, by } = session;
  const own = { text: `only for ${account.address}`, account, by, organizationId: null };
  const alone = await world.askAs(session, "/api/v1/notes", { body: { title: own.text } });
  if (alone.status !== 201) world.violate(`${account.address} cannot write: ${alone.text}`);
  const { text } = await world.askAs(session, `${AUTH}/get-session`);
  const organizationId = /"activeOrganizationId":"([^"]+)"/.exec(text)?.[1] ?? null;
  const title = organizationId === null ? own.text : `${own.text} in its house`;
  await world.askAs(session, "/api/v1/notes/announce", { body: { title } });
  if (organizationId === null) return [own];
  const paper = await world.askAs(session, "/api/v1/papers", { body: { title } });
  return paper.status === 201 ? [own, { ...own, text: title, organizationId }] : [own];
}

interface Reach {
  /** All that the credential shows of what was written. */
  readonly text: string;
  readonly isAdmitted: boolean;
  readonly isSysadmin: boolean;
}

async function reach(world: World, credential: Credential): Promise<Reach> {
  switch (credential.kind) {
    case "session":
      return await read(world, { cookies: new Map(credential.cookies) });
    case "key":
    case "bearer":
    case "scope token":
      return await read(world, { headers: credential.headers });
    case "grant": {
      const headers = { authorization: `Bearer ${credential.access}` };
      const before = await read(world, { headers });
      if (before.isAdmitted || !await refresh(world, credential)) return before;
      return await read(world, { headers: { authorization: `Bearer ${credential.access}` } });
    }
    case "push registration":
    case "webhook endpoint": {
      const { url } = credential;
      const bodies = world.api.sent.filter((one) => one.url === url).map(({ body }) =>
        typeof body === "string" ? body : new TextDecoder().decode(body)
      );
      return { text: bodies.join("\n"), isAdmitted: bodies.length > 0, isSysadmin: false };
    }
    case "stream":
      await credential.leave();
      return { text: credential.heard, isAdmitted: false, isSysadmin: false };
    case "trusted device":
      return { text: "", isAdmitted: false, isSysadmin: false };
  }
}

async function read(world: World, asked: Parameters<World["ask"]>[1]): Promise<Reach> {
  const notes = await world.ask("/api/v1/notes", asked);
  const papers = await world.ask("/api/v1/papers", asked);
  const ledgers = await world.ask("/api/v1/ledgers", asked);
  return {
    text: [notes, papers].map(({ text }) => text).join("\n"),
    isAdmitted: notes.status === 200,
    isSysadmin: ledgers.status === 200,
  };
}

function judgeReach(
  world: World,
  credential: Credential,
  { heard, written }: { readonly heard: Reach; readonly written: readonly Written[] },
): void {
  const { by, kind, account, endedBy } = credential;
  const said = `A ${kind} that the ${by} made`;
  const about = `${said} of ${account.address || "an account that is gone"}`;
  if (endedBy !== null && heard.isAdmitted) world.violate(`${about} works after ${endedBy}`);
  for (const one of written) {
    if (!heard.text.includes(`"${one.text}"`) || mayRead(world, by, one)) continue;
    world.violate(
      `${about} shows what the ${one.by} wrote after the proof of ${one.account.address}`,
    );
  }
  if (heard.isSysadmin && !isRightfulSysadmin(credential)) {
    world.violate(`${about} holds the role sysadmin`);
  }
  world.done.add(`${heard.isAdmitted ? "reaches" : "tries"}: ${kind}`);
}

/** Whether somebody was let in to see it. */
function mayRead(world: World, who: Person, { by, account, organizationId }: Written): boolean {
  // The operator may act in anybody's place.
  if (who === by || who === "operator") return true;
  const organization = world.organizations.find(({ id }) => id === organizationId);
  if (organization === undefined) return false;
  const isOwn = organization.account === account && organization.by === by;
  return isOwn ? organization.guests.has(who) : organization.joined.has(by);
}

/** The role goes with sessions that began after the proof, and with the tokens of those. */
function isRightfulSysadmin({ by, account, kind, at }: Credential): boolean {
  return by === "operator" && account.address === SYSADMIN_EMAIL && account.proved !== null &&
    at > account.proved.at && (kind === "session" || kind === "bearer");
}

/** Passwords that somebody set open no account whose address somebody else has proved since. */
async function tryPasswords(world: World): Promise<void> {
  for (const { by, account, password } of world.passwords) {
    const isForeign = account.proved !== null && account.address !== "" &&
      account.proved.by !== by && by !== "operator";
    if (!isForeign) continue;
    const { status } = await world.ask(`${AUTH}/sign-in/email`, {
      body: { email: account.address, password },
    });
    if (status === 200) world.violate(`"${password}" opens ${account.address} after its proof`);
    world.done.add("tries: password");
  }
}
