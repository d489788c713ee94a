/** What a stream sends after its caller has lost a right (contract 6.3, definitions 7 "realtime"): every loss, credential and kind of stream. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import {
  type AccountCredentials,
  type Database,
  DatabaseUnavailableError,
  type EmailMessage,
} from "../../shared/runtime/ports.ts";
import { memoryPubSub } from "../../shared/runtime/mod.ts";
import { CLOSING_REASONS } from "../../shared/surface/mod.ts";
import {
  founder,
  ORIGIN,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type ApiUnderTest, BASE_URL, tokenFor } from "../support/api.ts";
import { board } from "../support/board_project.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { allowed } from "../support/oauth.ts";
import { EVENTS, listenerOf, type ManualTimer, manualTimer } from "../support/realtime.ts";
import { serving, socketTo } from "../support/web_socket.ts";

/** The board with tokens that can be taken back, clients, and an action that streams its rows. */
const FILES: RawFiles = {
  ...board(),
  "quickback/quickback.config.ts": `export default {
  name: "board",
  realtime: { enabled: true },
  auth: { jwt: { revocationCheck: true }, roles: ["admin", "member", "guest"] },
  agents: { mcp: true, oauth: true },
};
`,
  "quickback/features/cards/actions/tail.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Sends a first row, and others as they come",
  path: "./tail", method: "GET", responseType: "stream", input: z.object({}),
  access: { roles: ["member", "admin"] },
  execute: () => new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("data: first\\n\\n")),
  }),
});
`,
};

/** The longest that a row may still be sent after a loss, in milliseconds. */
const BOUND_MS = 2000;

const CREDENTIALS = ["session", "apiKey", "client", "token"] as const;
type Credential = (typeof CREDENTIALS)[number];

/** Everything that the accounts look up is one of the credentials above: a new kind has to be added here, too. */
const LOOKED_UP: Readonly<Record<keyof AccountCredentials, Credential>> = {
  sessions: "session",
  apiKeys: "apiKey",
  grants: "client",
};

interface World {
  readonly api: ApiUnderTest;
  readonly address: string;
  /** Owner of the organization and operator of the API. */
  readonly root: Visitor;
  /** Who loses. */
  readonly ben: Visitor;
  readonly benId: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly headers: Readonly<Record<Credential, Readonly<Record<string, string>>>>;
  /** Messages of accounts. */
  readonly sent: readonly EmailMessage[];
  elapse(milliseconds: number): void;
}

interface Loss {
  readonly ends: readonly Credential[];
  /** Subscribers go on, with what is left to them: signals, which ask for no role. */
  readonly leavesSignals?: boolean;
  lose(world: World): Promise<unknown>;
}

const ACCOUNT: readonly Credential[] = ["session", "apiKey", "client"];
const PASSWORD = "correct horse battery";

const LOSSES: Readonly<Record<string, Loss>> = {
  "is removed from the organization": {
    ends: ACCOUNT,
    lose: ({ root, organizationId }) =>
      asked(root, "organization/remove-member", {
        memberIdOrEmail: "ben@example.com",
        organizationId,
      }),
  },
  "leaves the organization": {
    ends: ACCOUNT,
    lose: ({ ben, organizationId }) => asked(ben, "organization/leave", { organizationId }),
  },
  "is given a role that reads nothing": {
    ends: ACCOUNT,
    leavesSignals: true,
    async lose({ root, api, benId, organizationId }) {
      const memberId = await cell(api, "SELECT id FROM auth_member WHERE user_id = ?", benId);
      await asked(root, "organization/update-member-role", {
        memberId,
        role: "guest",
        organizationId,
      });
    },
  },
  "signs out": { ends: ["session"], lose: ({ ben }) => asked(ben, "sign-out", {}) },
  "takes the session back": {
    ends: ["session"],
    lose: ({ ben }) => asked(ben, "revoke-sessions", {}),
  },
  "is in no organization any more": {
    ends: ["session"],
    lose: ({ ben }) => asked(ben, "organization/set-active", { organizationId: null }),
  },
  "deletes the key": {
    ends: ["apiKey"],
    lose: ({ ben, keyId }) => asked(ben, "api-key/delete", { keyId }),
  },
  "switches the key off": {
    ends: ["apiKey"],
    lose: ({ ben, keyId }) => asked(ben, "api-key/update", { keyId, enabled: false }),
  },
  "has a key that expires": {
    ends: ["apiKey"],
    lose: ({ api, keyId }) =>
      written(
        api,
        "UPDATE auth_apikey SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ?",
        keyId,
      ),
  },
  "withdraws the grant": {
    ends: ["client"],
    async lose({ ben, api }) {
      const id = await cell(api, "SELECT id FROM auth_oauth_grant WHERE id > ?", "");
      await asked(ben, "client-grant/revoke", { grantId: id });
    },
  },
  "revokes the token": {
    ends: ["token"],
    async lose({ api, headers }) {
      const { status, text } = await api.ask("/api/v1/token/revoke", {
        headers: headers.token,
        body: {},
      });
      assert(status < 300, text);
    },
  },
  "has tokens that expire": {
    ends: ["token", "client"],
    lose: ({ elapse }) => Promise.resolve(elapse(3_600_000)),
  },
  "is banned": {
    ends: ACCOUNT,
    lose: ({ root, benId }) => asked(root, "admin/ban-user", { userId: benId }),
  },
  "is given a password by an operator": {
    ends: CREDENTIALS,
    lose: ({ root, benId }) =>
      asked(root, "admin/set-user-password", { userId: benId, newPassword: `${PASSWORD}!` }),
  },
  "has an account that its mailbox takes over": {
    ends: CREDENTIALS,
    async lose({ api, sent }) {
      const post = async (path: string, body: unknown) => {
        const { status, text } = await api.ask(`/auth/v1/${path}`, { body, headers: ORIGIN });
        assert(status < 300, text);
      };
      await post("request-password-reset", { email: "ben@example.com" });
      const text = sent.at(-1)?.text ?? "";
      const [, token] = /reset-password(?:\n\n|\/)([\w-]+)/.exec(text) ?? [];
      await post("reset-password", { token, newPassword: `${PASSWORD}!` });
    },
  },
  "has an account that is deleted": {
    ends: CREDENTIALS,
    lose: ({ root, benId }) => asked(root, "admin/remove-user", { userId: benId }),
  },
  "loses the organization": {
    ends: CREDENTIALS,
    lose: ({ root, organizationId }) =>
      asked(root, "organization/delete?purge=true", { organizationId, password: PASSWORD }),
  },
};

async function asked(visitor: Visitor, path: string, body: unknown): Promise<void> {
  const { status, text } = await visitor.ask(`/auth/v1/${path}`, body);
  assert(status < 300, `${path}: ${status} ${text}`);
}

async function cell(api: ApiUnderTest, sql: string, argument: string): Promise<string> {
  const { rows: [row] } = await api.database.run({ sql, args: [argument] });
  return String(row?.[0]);
}

async function written(api: ApiUnderTest, sql: string, argument: string): Promise<void> {
  await api.database.write((transaction) => transaction.run({ sql, args: [argument] }));
}

/** A stream that has begun. */
interface Opened {
  /** What comes next: `row`, or why nothing does. */
  heard(): Promise<string>;
  leave(): Promise<void>;
}

interface Kind {
  /** Rows reach it as they are written; else only what its action sends. */
  readonly isLive: boolean;
  /** A language model's host names itself in a header. */
  readonly without: readonly Credential[];
  open(world: World, headers: Readonly<Record<string, string>>): Promise<Opened>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "event stream": {
    isLive: true,
    without: [],
    async open({ api }, headers) {
      const listener = await listenerOf(await fetched(api, EVENTS, { headers }));
      return {
        async heard() {
          const { data } = await listener.next();
          if (data["type"] === "closing") return String(data["reason"]);
          return data["type"] === "resync" ? "resync" : "row";
        },
        leave: () => listener.leave(),
      };
    },
  },
  "WebSocket": {
    isLive: true,
    without: [],
    async open({ address }, headers) {
      const socket = await socketTo(`ws://${address}${EVENTS}`, { ...headers, origin: BASE_URL });
      assertEquals((await socket.next())["type"], "open");
      return {
        heard: () => socket.next().then(() => "row", (error) => String(error.message)),
        leave: () => socket.leave(),
      };
    },
  },
  "stream of an action": {
    isLive: false,
    without: [],
    async open({ api }, headers) {
      const response = await fetched(api, "/api/v1/cards/tail", { headers });
      assertEquals(response.status, 200, response.status === 200 ? "" : await response.text());
      const reader = response.body?.getReader();
      assert(reader);
      assertEquals(new TextDecoder().decode((await reader.read()).value), "data: first\n\n");
      return {
        heard: () => reader.read().then(() => "row", (error) => String(error.name)),
        leave: () => reader.cancel(),
      };
    },
  },
  "tool that streams": {
    isLive: false,
    without: ["session"],
    async open({ api }, headers) {
      const message = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "tail", arguments: {} },
      };
      const response = await fetched(api, "/mcp", {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(message),
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      assert(reader);
      const first = String((await reader.read()).value);
      assert(first.includes('"data":"first"'), first);
      return {
        async heard() {
          const text = String((await reader.read()).value);
          return /has lost the right.*"isError":true/.test(text) ? "LostRightsError" : text;
        },
        leave: () => reader.cancel(),
      };
    },
  },
};

function fetched(api: ApiUnderTest, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("host", new URL(BASE_URL).host);
  return api.fetch(new Request(BASE_URL + path, { ...init, headers }), { clientIp: null });
}

function withWorld(
  body: (world: World) => Promise<void>,
  accountsRead: (database: Database) => Database = (database) => database,
): Promise<void> {
  let timer: ManualTimer | null = null;
  const sent: EmailMessage[] = [];
  const email = { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) };
  return withCompiled(
    FILES,
    ({ model, code }) =>
      withAccountsApi((api) =>
        serving(api, async (address) => {
          const root = await founder(api, "root", "acme");
          const ben = await signedUp(api, "ben");
          const organizationId = await cell(
            api,
            "SELECT id FROM auth_organization WHERE slug = ?",
            "acme",
          );
          const benId = await cell(api, "SELECT id FROM auth_user WHERE name = ?", "ben");
          const elapse = (milliseconds: number) => {
            api.pass(milliseconds);
            timer?.fire();
          };
          await asMember(api, benId, organizationId, "member");
          await asMember(
            api,
            await cell(api, "SELECT id FROM auth_user WHERE name = ?", "root"),
            organizationId,
            "owner,admin",
          );
          await asked(ben, "organization/set-active", { organizationId });
          const key = await ben.ask("/auth/v1/api-key/create", {});
          const client = await allowed(api, ben, { scope: "*:read cards:tail" });
          const claims = { sub: benId, orgId: organizationId, roles: ["member"], jti: "bens" };
          const token = await tokenFor(claims, api.ports.clock.now());
          await body({
            api,
            address,
            root,
            ben,
            benId,
            organizationId,
            keyId: String(key.body["id"]),
            elapse,
            sent,
            headers: {
              session: { cookie: ben.cookie },
              apiKey: { "x-api-key": String(key.body["key"]) },
              client: { authorization: `Bearer ${client.access}` },
              token: { authorization: `Bearer ${token}` },
            },
          });
        }), {
        project: model,
        code,
        sysadminEmails: ["root@example.com"],
        accountsRead,
        given: { email },
        realtime({ clock }) {
          timer = manualTimer(clock);
          return { pubSub: memoryPubSub(clock), timer };
        },
      }),
  );
}

async function asMember(
  api: ApiUnderTest,
  userId: string,
  organizationId: string,
  role: string,
): Promise<void> {
  await api.database.write((transaction) =>
    transaction.runAll([
      { sql: "DELETE FROM auth_member WHERE user_id = ?", args: [userId] },
      {
        sql: "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) " +
          "VALUES (?, ?, ?, ?, '2026-01-01T00:00:00.000Z')",
        args: [`member_${userId}`, organizationId, userId, role],
      },
    ])
  );
}

function endOf(name: string, { isLive }: Kind, hearsSignals: boolean): string {
  if (!isLive) return "LostRightsError";
  const reason = hearsSignals ? "shutdown" : "credentials";
  return name === "WebSocket" ? `${CLOSING_REASONS[reason]} ${reason}` : reason;
}

/** A row that everybody of the organization may see. */
async function made({ api, organizationId }: World): Promise<void> {
  const as = { sub: "user_w", orgId: organizationId, roles: ["admin"] };
  const { status, text } = await api.ask("cards", { as, body: { title: "Paint" } });
  assertEquals(status, 201, text);
}

/** Lets the look that time has brought about come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("every credential that accounts look up is one of a stream's", () => {
  const known: readonly Credential[] = Object.values(LOOKED_UP);
  assertEquals(known.toSorted(), CREDENTIALS.filter((name) => name !== "token").toSorted());
});

for (const [loss, { ends, lose, leavesSignals = false }] of Object.entries(LOSSES)) {
  Deno.test(`nothing more is sent to whoever ${loss}`, () =>
    withWorld(async (world) => {
      const streams = [];
      for (const [name, kind] of Object.entries(KINDS)) {
        for (const credential of CREDENTIALS) {
          if (kind.without.includes(credential)) continue;
          const opened = await kind.open(world, world.headers[credential]);
          streams.push({ name, kind, credential, opened });
        }
      }
      await lose(world);
      world.elapse(BOUND_MS);
      await settled();
      const isOver = loss === "loses the organization" || loss === "has tokens that expire";
      if (!isOver) await made(world);
      for (const { name, kind, credential, opened } of streams) {
        if (ends.includes(credential)) continue;
        const about = `${name} of ${credential}`;
        if (kind.isLive && !isOver) assertEquals(await opened.heard(), "row", about);
        await opened.leave();
      }
      if (leavesSignals) world.api.end();
      for (const { name, kind, credential, opened } of streams) {
        if (!ends.includes(credential)) continue;
        const end = await opened.heard();
        // No permission of a client names a signal.
        const hearsSignals = leavesSignals && credential !== "client";
        assertEquals(end, endOf(name, kind, hearsSignals), `${name} of ${credential}`);
      }
    }));
}

Deno.test("what waits for a subscriber who loses a right is never sent", () =>
  withWorld(async (world) => {
    const open = KINDS["event stream"]?.open;
    assert(open);
    const [narrowed, ended, other] = [
      await open(world, world.headers.session),
      await open(world, world.headers.client),
      await open(world, world.headers.token),
    ];
    await made(world);
    await LOSSES["is given a role that reads nothing"]?.lose(world);
    world.elapse(BOUND_MS);
    await settled();
    assertEquals(await other.heard(), "row");
    assertEquals(await ended.heard(), "credentials");
    // Something was missed: what is shown is to be read again.
    assertEquals(await narrowed.heard(), "resync");
    for (const stream of [narrowed, other]) await stream.leave();
  }));

Deno.test("while rights cannot be looked at no row is sent, and afterwards what waited is", () => {
  let isAway = false;
  const away = (database: Database): Database => ({
    ...database,
    run: (statement) =>
      isAway ? Promise.reject(new DatabaseUnavailableError("Away", 1)) : database.run(statement),
    runAll: (statements) =>
      isAway
        ? Promise.reject(new DatabaseUnavailableError("Away", 1))
        : database.runAll(statements),
    write: (body) => database.write(body),
  });
  return withWorld(async (world) => {
    const open = KINDS["event stream"]?.open;
    assert(open);
    const stream = await open(world, world.headers.session);
    isAway = true;
    world.elapse(BOUND_MS);
    await settled();
    isAway = false;
    await made(world);
    let heard: string | null = null;
    const told = stream.heard().then((text) => (heard = text));
    await settled();
    assertEquals(heard, null);
    world.elapse(BOUND_MS);
    assertEquals(await told, "row");
    await stream.leave();
  }, away);
});
