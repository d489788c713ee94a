/** Keys, grants, tokens, streams, and addresses that the service sends to: all that acts without a browser. */
import type { Person } from "../people.ts";
import type { Grant, Program, Receiver, Session, Stream } from "../secrets.ts";
import { authorizePath, CALLBACK, fieldsOf, VERIFIER } from "../../support/oauth.ts";
import { isRecord } from "../../support/api.ts";
import { AUTH, type World } from "../world.ts";
import { BASE_URL } from "../walked_api.ts";
import { type Act, at } from "./act.ts";
import { sessionOf } from "./sign_in.ts";

/** The organization that a session acts in. */
async function organizationOf(world: World, session: Session): Promise<string | null> {
  const { body } = await world.askAs(session, `${AUTH}/get-session`);
  const found = isRecord(body["session"]) ? body["session"]["activeOrganizationId"] : null;
  return typeof found === "string" ? found : null;
}

/** Who holds it, for which account. */
async function holderOf(world: World, session: Session) {
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

async function listen(world: World, session: Session): Promise<void> {
  const stream = await openStream(world, session);
  world.tell(
    `the ${session.by} listens as ${session.account.address}`,
    stream === null ? 401 : 200,
  );
}

async function openStream(world: World, session: Session): Promise<Stream | null> {
  const cookie = [...session.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await world.api.fetch(
    new Request(`${BASE_URL}/broadcast/v1/events`, {
      headers: { host: new URL(BASE_URL).host, origin: BASE_URL, cookie },
    }),
  );
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    return null;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const stream = world.hold<Stream>({
    ...await holderOf(world, session),
    kind: "stream",
    heard: "",
    leave: () => reader.cancel(),
  });
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      stream.heard += next.value;
    }
  };
  read().catch(() => {});
  return stream;
}

/** What needs a session, done in one of the person's. */
function inSession(
  subject: Act["subject"],
  run: (world: World, session: Session, second: number) => Promise<void>,
): Act {
  return {
    subject,
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
  "listen": inSession("receivers", listen),
  "refresh a grant": {
    subject: "programs",
    run: async (world, { who, first }) => {
      const grant = at(world.held(who, "grant"), first);
      if (!grant) return;
      const isGood = await refresh(world, grant);
      world.tell(`a client of the ${who} refreshes its tokens`, isGood ? 200 : 400);
    },
  },
  "take a key back": {
    subject: "programs",
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
