/**
 * What must hold at the end of every walk: whoever never read the mail of an address and never knew the password set after
 * its proof reaches nothing that was written after the proof, and holds no role of it; what an event ended stays ended.
 */
import { type Person, readerOf } from "./people.ts";
import { refresh } from "./acts/credentials.ts";
import { enterByLink } from "./acts/sign_in.ts";
import type { Account, Credential, Device, Session } from "./secrets.ts";
import { SYSADMIN_EMAIL } from "./walked_api.ts";
import { type Asked, AUTH, type World } from "./world.ts";

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
  const writers: Writer[] = [];
  for (const account of [...world.accounts.values()]) {
    const writer = await writerOf(world, account);
    if (writer) writers.push(writer);
  }
  await world.api.elapse(RIGHTS_MAX_AGE);
  const written: Written[] = [];
  for (const writer of writers) written.push(...await write(world, writer));
  await world.api.deliver();
  await world.api.settle();
  for (const credential of world.credentials) {
    const heard = await reach(world, credential, written);
    judgeReach(world, credential, { heard, written });
  }
  await tryPasswords(world);
  const [failure] = world.api.failures;
  if (failure) {
    world.violate(`The service failed: ${failure.message} ${String(failure.error ?? "")}`);
  }
}

/** Whoever reads the mail of an address that nobody has proved signs in by it. */
export async function proveAll(world: World): Promise<void> {
  for (const { proved, isBanned, address } of [...world.accounts.values()]) {
    if (proved !== null || isBanned || address === "") continue;
    await enterByLink(world, readerOf(address), address);
  }
}

interface Writer {
  readonly session: Session;
  /** In which the session acts; null: in none. */
  readonly organizationId: string | null;
}

/** A session that whoever reads the account's mail has, or begins now; null where nobody has proved it. */
async function writerOf(world: World, account: Account): Promise<Writer | null> {
  const { proved, address, isBanned } = account;
  if (proved === null || isBanned || address === "" || readerOf(address) !== proved.by) return null;
  const own = world.held(proved.by, "session").filter((session) =>
    session.account === account && !session.isImpersonation
  );
  for (const session of own) {
    const writer = await standing(world, session);
    if (writer) return writer;
  }
  const session = await enterByLink(world, proved.by, address);
  return session?.account === account ? await standing(world, session) : null;
}

async function standing(world: World, session: Session): Promise<Writer | null> {
  const { text } = await world.askAs(session, `${AUTH}/get-session`);
  if (!text.includes(session.account.id)) return null;
  const organizationId = /"activeOrganizationId":"([^"]+)"/.exec(text)?.[1] ?? null;
  return { session, organizationId: organizationId ?? await goIn(world, session) };
}

/** Has a session that acts in no organization act in one of its account; null where there is none. */
async function goIn(world: World, session: Session): Promise<string | null> {
  if (world.organizations.length === 0) return null;
  const { text } = await world.askAs(session, `${AUTH}/organization/list`);
  const organization = world.organizations.find(({ id }) => text.includes(id));
  if (organization === undefined) return null;
  const { status } = await world.askAs(session, `${AUTH}/organization/set-active`, {
    body: { organizationId: organization.id },
  });
  return status === 200 ? organization.id : null;
}

/** Writes for the account alone, and in the organization that its session acts in; tells of it where somebody is told. */
async function write(
  world: World,
  { session, organizationId }: Writer,
): Promise<readonly Written[]> {
  const { account, by } = session;
  const own = { text: `only for ${account.address}`, account, by, organizationId: null };
  const alone = await world.askAs(session, "/api/v1/notes", { body: { title: own.text } });
  if (alone.status !== 201) world.violate(`${account.address} cannot write: ${alone.text}`);
  const title = organizationId === null ? own.text : `${own.text} in its house`;
  if (world.credentials.some(({ kind }) => RECEIVERS.has(kind))) {
    await world.askAs(session, "/api/v1/notes/announce", { body: { title } });
  }
  if (organizationId === null) return [own];
  const paper = await world.askAs(session, "/api/v1/papers", { body: { title } });
  return paper.status === 201 ? [own, { ...own, text: title, organizationId }] : [own];
}

const RECEIVERS: ReadonlySet<string> = new Set(["push registration", "webhook endpoint"]);

interface Reach {
  /** All that the credential shows of what was written. */
  readonly text: string;
  readonly isAdmitted: boolean;
  readonly isSysadmin: boolean;
}

async function reach(
  world: World,
  credential: Credential,
  written: readonly Written[],
): Promise<Reach> {
  const read = (asked: Asked) => readBy(world, credential, { asked, written });
  switch (credential.kind) {
    case "session":
      return await read({ cookies: new Map(credential.cookies) });
    case "key":
    case "bearer":
    case "scope token":
      return await read({ headers: credential.headers });
    case "grant": {
      const headers = { authorization: `Bearer ${credential.access}` };
      const before = await read({ headers });
      if (before.isAdmitted || !await refresh(world, credential)) return before;
      return await read({ headers: { authorization: `Bearer ${credential.access}` } });
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
      return { text: "", isAdmitted: await isTrusted(world, credential), isSysadmin: false };
  }
}

/** True when the password alone signs in on this device, where the account has a second factor. */
async function isTrusted(world: World, { by, account, cookies }: Device): Promise<boolean> {
  if (account.factor?.by !== by || account.address === "") return false;
  const { status, body } = await world.ask(`${AUTH}/sign-in/email`, {
    body: { email: account.address, password: world.passwordOf(by, account) },
    cookies: new Map(cookies),
  });
  return status === 200 && body["twoFactorRedirect"] !== true;
}

/** Reads what was written, and what the platform's role alone reads where the account may have it. */
async function readBy(
  world: World,
  { account, by, kind }: Credential,
  { asked, written }: { readonly asked: Asked; readonly written: readonly Written[] },
): Promise<Reach> {
  const notes = await world.ask("/api/v1/notes", asked);
  // A scope token has no account, and reads what its organization shows it.
  const isInHouse = kind === "scope token" ||
    written.some(({ organizationId }) => organizationId !== null);
  const papers = isInHouse ? await world.ask("/api/v1/papers", asked) : null;
  const isPlatforms = account.address === SYSADMIN_EMAIL || by === "operator";
  const ledgers = isPlatforms ? await world.ask("/api/v1/ledgers", asked) : null;
  return {
    text: `${notes.text}\n${papers?.text ?? ""}`,
    isAdmitted: (kind === "scope token" ? papers : notes)?.status === 200,
    isSysadmin: ledgers?.status === 200,
  };
}

function judgeReach(
  world: World,
  credential: Credential,
  { heard, written }: { readonly heard: Reach; readonly written: readonly Written[] },
): void {
  const { by, kind, account } = credential;
  const endedBy = credential.endedBy ?? (kind === "stream" ? credential.session.endedBy : null);
  const said = `A ${kind} that the ${by} made`;
  const about = `${said} of ${account.address || "an account that is gone"}`;
  if (endedBy !== null && heard.isAdmitted) world.violate(`${about} works after ${endedBy}`);
  const isHeard = written.some(({ text }) => heard.text.includes(`"${text}"`));
  if (kind === "stream" && endedBy !== null && isHeard) {
    world.violate(`${about} tells of what was written after ${endedBy}`);
  }
  for (const one of written) {
    if (!heard.text.includes(`"${one.text}"`) || mayRead(world, by, one)) continue;
    world.violate(
      `${about} shows what the ${one.by} wrote after the proof of ${one.account.address}`,
    );
  }
  if (heard.isSysadmin && !isRightfulSysadmin(credential)) {
    world.violate(`${about} holds the role sysadmin`);
  }
  world.done.add(`${heard.isAdmitted || isHeard ? "reaches" : "tries"}: ${kind}`);
}

/** Whether somebody was let in to see it. */
function mayRead(world: World, who: Person, { by, account, organizationId }: Written): boolean {
  // The operator may act in anybody's place.
  if (who === by || who === "operator") return true;
  const organization = world.organizations.find(({ id }) => id === organizationId);
  if (organization === undefined) return false;
  // Whom somebody let in before the taking over is a guest no more.
  return organization.account === account
    ? organization.guests.has(who)
    : organization.joined.has(by);
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
