/** A change of `AUTH_SECRET` on a running API (definitions 8, `AUTH_SECRET_PREVIOUS`): nobody has to sign in again. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { openDatabase, systemRandomness } from "../../library/platform/mod.ts";
import { createSecretBox } from "../../shared/runtime/mod.ts";
import { publicResolver } from "../support/public_resolver.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { writeStarter } from "../support/starter_output.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { until } from "../support/until.ts";

const OLD = "the secret of the year before, long enough";
const NEW = "the secret of this year, which is another one";

type Headers = Readonly<Record<string, string>>;

/** What callers carry on to the next start. */
interface Carried {
  readonly cookie: string;
  readonly token: string;
  readonly cursor: string;
}

Deno.test("what AUTH_SECRET_PREVIOUS signed holds on until it is taken away, and what is new is signed with AUTH_SECRET", async () => {
  await withTempFolder(async (folder) => {
    await writeStarter("saas", folder);
    await using resolver = publicResolver();
    const started = async (
      secrets: Headers,
      body: (ask: Ask, said: () => string) => Promise<void>,
    ) => {
      await using api = new ServiceProcess(["deno", "run", "-A", "src/main.ts"], {
        HOST: "127.0.0.1",
        BASE_URL,
        DATABASE_URL: `file:${folder}/app.db`,
        WEBHOOK_RESOLVER_URL: `http://127.0.0.1:${resolver.addr.port}/`,
        ...secrets,
      }, folder);
      await body(asker(await api.address), () => api.said);
      assertEquals(await api.end("SIGTERM"), 0);
    };

    let before: Carried = { cookie: "", token: "", cursor: "" };
    let key = "";
    let link = "";
    await started({ AUTH_SECRET: OLD }, async (ask, said) => {
      const account = { name: "Ann", ...ANN };
      const signedUp = await ask("/api/auth/sign-up/email", { body: account });
      const cookie = cookieOf(signedUp);
      await ask("/api/auth/organization/create", { body: { name: "Acme", slug: "acme" }, cookie });
      for (const name of ["One", "Two", "Three"]) {
        await ask("/api/v1/projects", { body: { name }, cookie });
      }
      key = textAt(
        await ask("/api/auth/api-key/create", { body: { name: "laptop" }, cookie }),
        "key",
      );
      const endpoint = { name: "erp", url: "https://erp.example.com/", events: ["invoice.*"] };
      const registered = await ask("/webhooks/v1/endpoints", { body: endpoint, cookie });
      // So that there is an earlier secret of the endpoint, too.
      const path = `/webhooks/v1/endpoints/${registered.body["id"]}/rotate-secret`;
      await ask(path, { body: {}, cookie });
      before = await carried(ask, cookie);
      link = /\/verify-email\?token=[\w.-]+/.exec(said())?.[0] ?? "";
    });
    const followed = () => ({ token: link.split("=")[1], password: ANN.password });
    assertMatch(link, /token=/);
    const sealedBefore = await sealedSecrets(folder);
    assert(await openUnder(OLD, sealedBefore) && !await openUnder(NEW, sealedBefore));

    let since: Carried = before;
    await started({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD }, async (ask) => {
      assertEquals(await statuses(ask, before), GOOD);
      assertEquals((await ask("/api/v1/projects", { key })).status, 200);
      assertEquals(
        (await ask("/api/auth/verify-email", { body: followed() })).body["status"],
        true,
      );
      const forged = before.cookie.replace(/\.[^.;]{10}/, ".AAAAAAAAAA");
      assertNotEquals(forged, before.cookie);
      assertEquals((await ask("/api/v1/projects", { cookie: forged })).status, 401);
      const signedIn = await ask("/api/auth/sign-in/email", { body: ANN });
      since = await carried(ask, cookieOf(signedIn));
      assertEquals(await statuses(ask, since), GOOD);
      await until(
        "secrets are sealed under the new one",
        async () => await openUnder(NEW, await sealedSecrets(folder)),
      );
    });
    assertNotEquals(since.cursor, before.cursor);

    await started({ AUTH_SECRET: NEW }, async (ask) => {
      assertEquals(await statuses(ask, before), [401, 401, 400]);
      assertEquals(await statuses(ask, since), GOOD);
      assertEquals((await ask("/api/v1/projects", { key })).status, 200);
    });
  });
});

const BASE_URL = "https://api.example.com";
const ANN = { email: "ann@example.com", password: "correct horse battery" };
const GOOD = [200, 200, 200];

interface Asked {
  readonly body?: object;
  readonly cookie?: string;
  readonly token?: string;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

type Ask = (path: string, asked?: Asked) => Promise<Answer>;

/** Asks as a client would; every write must be done. */
function asker(origin: string): Ask {
  return async (path, { body, cookie, token, key } = {}) => {
    const response = await fetch(origin + path, {
      redirect: "manual",
      headers: {
        origin: BASE_URL,
        ...(cookie === undefined ? {} : { cookie }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (body !== undefined) assert(response.ok, `${path}: ${response.status} ${text}`);
    return {
      status: response.status,
      cookies: response.headers.getSetCookie(),
      body: JSON.parse(text),
    };
  };
}

function cookieOf({ cookies }: Answer): string {
  return cookies.map((line) => line.split(";")[0]).join("; ");
}

function textAt({ body }: Answer, name: string): string {
  const value = body[name];
  assert(typeof value === "string", `${name} is not in ${JSON.stringify(body)}`);
  return value;
}

/** A session's token and cursor, made now. */
async function carried(ask: Ask, cookie: string): Promise<Carried> {
  const token = textAt(await ask("/api/v1/token", { body: {}, cookie }), "token");
  const { pagination } = (await ask("/api/v1/projects?limit=1", { cookie })).body;
  const cursor = /"nextCursor":"([^"]+)"/.exec(JSON.stringify({ pagination }))?.[1] ?? "";
  assertNotEquals(cursor, "");
  return { cookie, token, cursor };
}

/** Statuses of a read by session, by token and from a cursor on, as somebody whose own credentials are good. */
async function statuses(ask: Ask, { cookie, token, cursor }: Carried): Promise<readonly number[]> {
  const signedIn = cookieOf(await ask("/api/auth/sign-in/email", { body: ANN }));
  const answers = [
    await ask("/api/v1/projects", { cookie }),
    await ask("/api/v1/projects", { token }),
    await ask(`/api/v1/projects?limit=1&starting_after=${cursor}`, { cookie: signedIn }),
  ];
  return answers.map(({ status }) => status);
}

interface SealedSecrets {
  readonly id: string;
  /** The endpoint's own, and the one before it. */
  readonly texts: readonly string[];
}

async function sealedSecrets(folder: string): Promise<SealedSecrets> {
  const database = await openDatabase({ url: `file:${folder}/app.db` });
  try {
    const sql = "SELECT id, secret, previous_secret FROM webhook_endpoints";
    const { rows } = await database.run({ sql, args: [] });
    assertEquals(rows.length, 1);
    const [id, ...texts] = rows[0]?.map(String) ?? [];
    return { id: String(id), texts };
  } finally {
    await database.close();
  }
}

async function openUnder(secret: string, { id, texts }: SealedSecrets): Promise<boolean> {
  const box = createSecretBox({ authSecret: new TextEncoder().encode(secret) }, systemRandomness);
  const opened = await Promise.all(texts.map((text) => box.open(id, text)));
  return opened.every((one) => one !== null);
}
