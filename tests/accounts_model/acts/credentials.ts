/** Keys, grants, tokens, streams, and addresses that the service sends to: all that acts without a browser. */
import type { Person } from "../people.ts";
import type { Grant, Program, Receiver, Session } from "../secrets.ts";
import { authorizePath, CALLBACK, fieldsOf, VERIFIER } from "../../support/oauth.ts";
import { isRecord } from "../../support/api.ts";
import { AUTH, type World } from "../world.ts";
import { BASE_URL } from "../walked_api.ts";
import { type Act, at, type Subject } from "./act.ts";
import { sessionOf } from "./sign_in.ts";

/** The organization that a session acts in. */
export async function organizationOf(world: World, session: Session): Promise<string | null> {
  const { body } = await world.askAs(session, `${AUTH}/get-session`);
  const found = isRecord(body["session"]) ? body["session"]["activeOrganizationId"] : null;
  return typeof found === "string" ? found : null;
}

/** Who holds it, for which account. */
export async function holderOf(world: World, session: Session) {
  const { by, account } = session;
  return { by, account, organizationId: await organizationOf(world, session) };
}

export async function makeKey(world: World, session: Session, asked: object = {}): Promise<void> {
  const heard = await world.askAs(session, `${AUTH}/api-key/create`, { body: asked });
  world.tell(
    `the ${session.by} makes a key of ${session.account.address} ${JSON.stringify(asked)}`,
    heard.status,
  );
  const { key, id } = heard.body;
  if (heard.status !== 200 || typeof key !== "string") return;
  world.hold<Program>({
    ...await holderOf(world, session),
    kind: "key",
    id: String(id),
    headers: { "x-api-key": key },
  });
}

async function allowClient(world: World, session: Session): Promise<void> {
  const registered = await world.ask("/oauth/register", {
    body: { client_name: "Robot", redirect_uris: [CALLBACK] },
  });
  const clientId = String(registered.body["client_id"]);
  const page = await world.askAs(session, authorizePath(clientId, { scope: "*:read" }));
  const consent = page.status !== 200 ? page : await world.askAs(session, "/oauth/consent", {
    form: [...fieldsOf(page.text), ["decision", "allow"]],
  });
  const code = new URL(consent.headers.get("location") ?? BASE_URL).searchParams.get("code");
  world.tell(`the ${session.by} allows a client ${session.account.address}`, consent.status);
  if (code === null) return;
  const form = [
    ["grant_type", "authorization_code"],
    ["client_id", clientId],
    ["code", code],
    ["redirect_uri", CALLBACK],
    ["code_verifier", VERIFIER],
  ] as const;
  const { status, body } = await world.ask("/oauth/token", { form });
  if (status !== 200) return;
  world.hold<Grant>({
    ...await holderOf(world, session),
    kind: "grant",
    clientId,
    access: String(body["access_token"]),
    refresh: String(body["refresh_token"]),
  });
}

/** Gets new tokens; false where the grant gives none any more. */
export async function refresh(world: World, grant: Grant): Promise<boolean> {
  const form = [
    ["grant_type", "refresh_token"],
    ["client_id", grant.clientId],
    ["refresh_token", grant.refresh],
  ] as const;
  const { status, body } = await world.ask("/oauth/token", { form });
  if (status !== 200) return false;
  grant.access = String(body["access_token"]);
  grant.refresh = String(body["refresh_token"]);
  return true;
}

/** A grant that the person gave; whoever has given none allows a client first. */
async function grantOf(world: World, who: Person, place: number): Promise<Grant | undefined> {
  if (world.held(who, "grant").length === 0) {
    const session = await sessionOf(world, who, place);
    if (session) await allowClient(world, session);
  }
  return at(world.held(who, "grant"), place);
}

/** Takes back what the client of the grant was allowed. */
async function withdraw(world: World, session: Session, grant: Grant): Promise<void> {
  const { body } = await world.askAs(session, `${AUTH}/client-grant/list`);
  const listed = Array.isArray(body["grants"]) ? body["grants"].filter(isRecord) : [];
  const grantId = listed.find(({ clientId }) => clientId === grant.clientId)?.["id"];
  if (grantId === undefined) return;
  const heard = await world.askAs(session, `${AUTH}/client-grant/revoke`, { body: { grantId } });
  world.tell(`the ${session.by} takes a grant of ${session.account.address} back`, heard.status);
  if (heard.status === 200) grant.endedBy = "its withdrawal";
}

async function mint(world: World, session: Session): Promise<void> {
  const heard = await world.askAs(session, "/api/v1/token", { body: {} });
  world.tell(`the ${session.by} gets a token of ${session.account.address}`, heard.status);
  if (heard.status !== 200) return;
  world.hold<Program>({
    ...await holderOf(world, session),
    kind: "bearer",
    id: "",
    headers: { authorization: `Bearer ${String(heard.body["token"])}` },
  });
}

/** RFC 8291, appendix A. */
const BROWSER_KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

function addressOf(world: World, person: Person, host: string): string {
  return `https://${host}.example.com/${person.replace(" ", "-")}/${world.now()}`;
}

async function register(
  world: World,
  session: Session,
  kind: Receiver["kind"],
): Promise<void> {
  const isPush = kind === "push registration";
  const url = addressOf(world, session.by, isPush ? "push" : "hooks");
  const heard = await world.askAs(
    session,
    isPush ? "/api/v1/push-subscriptions" : "/webhooks/v1/endpoints",
    { body: isPush ? { endpoint: url, ...BROWSER_KEYS } : { name: "Hook", url, events: ["*"] } },
  );
  world.tell(`the ${session.by} makes a ${kind} of ${session.account.address}`, heard.status);
  if (heard.status !== 201) return;
  world.hold<Receiver>({ ...await holderOf(world, session), kind, url });
}

/** What needs a session, done in one of the person's. */
export function inSession(
  subject: Subject,
  run: (world: World, session: Session, second: number) => Promise<void>,
): Act {
  return {
    subjects: [subject],
    run: async (world, { who, first, second }) => {
      const session = await sessionOf(world, who, first);
      if (session) await run(world, session, second);
    },
  };
}

export const CREDENTIAL_ACTS: Readonly<Record<string, Act>> = {
  "make a key": inSession("programs", (world, session) => makeKey(world, session)),
  "make a key for the platform": inSession(
    "the operator",
    (world, session) => makeKey(world, session, { platformRole: true }),
  ),
  "allow a client": inSession("programs", allowClient),
  "get a token": inSession("programs", mint),
  "register a browser": inSession(
    "receivers",
    (world, session) => register(world, session, "push registration"),
  ),
  "register an endpoint": inSession(
    "receivers",
    (world, session) => register(world, session, "webhook endpoint"),
  ),
  "refresh a grant": {
    subjects: ["programs"],
    run: async (world, { who, first }) => {
      const grant = await grantOf(world, who, first);
      if (!grant) return;
      const isGood = await refresh(world, grant);
      world.tell(`a client of the ${who} refreshes its tokens`, isGood ? 200 : 400);
    },
  },
  "take a grant back": {
    subjects: ["programs"],
    run: async (world, { who, first }) => {
      const grant = await grantOf(world, who, first);
      const session = world.held(who, "session").find(({ account }) => account === grant?.account);
      if (grant && session) await withdraw(world, session, grant);
    },
  },
  "take a key back": {
    subjects: ["programs"],
    run: async (world, { who, first }) => {
      const key = at(world.held(who, "key"), first);
      const session = world.held(who, "session").find(({ account }) => account === key?.account);
      if (!key || !session) return;
      const heard = await world.askAs(session, `${AUTH}/api-key/delete`, {
        body: { keyId: key.id },
      });
      world.tell(`the ${who} takes a key of ${key.account.address} back`, heard.status);
      if (heard.status === 200) key.endedBy = "its deletion";
    },
  },
};
