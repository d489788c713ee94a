/** A project that pushes messages, browsers that subscribe to them, and what these read out of what was sent. */
import { base64Bytes } from "../../shared/lib/bytes.ts";
import type { DialRequest, RateLimiter } from "../../shared/runtime/mod.ts";
import { readVapidKeys, type VapidKeys, webPushSealer } from "../../library/platform/mod.ts";
import type { Answer, Claims } from "./api.ts";
import { withCompiled } from "./compiled_actions.ts";
import type { DriverUnderTest } from "./databases.ts";
import { MEMBER, type WebhooksUnderTest, withWebhooks } from "./webhooks.ts";
import { withTempFolder } from "./temp_folder.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";

const ROLES = '{ roles: ["member", "admin"] }';

export const PUSH_CONFIG =
  `export default { name: "news", realtime: { push: true }, contract: { changeset: true } };\n`;

/** An action sends whatever it is told to whomever it is told to. */
export const PUSH_FILES: RawFiles = {
  "quickback/quickback.config.ts": PUSH_CONFIG,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"] },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
});
`,
  "quickback/features/notes/actions/tell.ts": `import { defineAction, sendPush } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Pushes a message",
  path: "./tell",
  input: z.object({
    payload: z.record(z.string(), z.unknown()),
    userIds: z.array(z.string()),
    ttl: z.number().optional(),
    urgency: z.enum(["low", "high"]).optional(),
    topic: z.string().optional(),
    fails: z.boolean().default(false),
  }),
  access: ${ROLES},
  async execute({ env, input: { payload, fails, ...options } }) {
    await sendPush(payload, options, env);
    if (fails) throw new Error("No");
    return { told: true };
  },
});
`,
};

export const SUBSCRIPTIONS = "push-subscriptions";

export interface PushUnderTest extends WebhooksUnderTest {
  readonly keys: VapidKeys;
  subscribe(browser: Browser, as?: Claims): Promise<Answer>;
  tell(body: Readonly<Record<string, unknown>>, as?: Claims): Promise<Answer>;
}

export interface PushTestOptions {
  readonly files?: RawFiles;
  readonly limiter?: RateLimiter;
  readonly driver?: DriverUnderTest;
}

export function withPush(
  body: (api: PushUnderTest) => Promise<void>,
  { files = PUSH_FILES, ...options }: PushTestOptions = {},
): Promise<void> {
  return withCompiled(files, async ({ model, code }) => {
    const keys = await withTempFolder((folder) =>
      readVapidKeys({
        variables: new Map(),
        databaseUrl: `file:${folder}/app.db`,
        settings: { baseUrl: "https://api.example.com", production: false },
      })
    );
    await withWebhooks((api) =>
      body({
        ...api,
        keys,
        subscribe: ({ subscription }, as = MEMBER) =>
          api.ask(SUBSCRIPTIONS, { as, body: subscription }),
        tell: (message, as = MEMBER) => api.ask("notes/tell", { as, body: message }),
      }), { project: model, code, push: webPushSealer(keys), ...options });
  });
}

/** A browser with a subscription of its own, as `PushManager.subscribe` makes one. */
export interface Browser {
  readonly subscription: {
    readonly endpoint: string;
    readonly p256dh: string;
    readonly auth: string;
  };
  /** What its service worker is given; throws for what was sealed for another. */
  opened(call: DialRequest): Promise<unknown>;
}

let browsers = 0;

export async function newBrowser(name = `sub-${browsers += 1}`): Promise<Browser> {
  const pair = await crypto.subtle.generateKey(ECDH, true, ["deriveBits"]);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const auth = crypto.getRandomValues(new Uint8Array(16));
  return {
    subscription: {
      endpoint: `https://push.example.com/${name}`,
      p256dh: urlSafe(point),
      auth: urlSafe(auth),
    },
    opened: (call) => opened(call, { privateKey: pair.privateKey, point, auth }),
  };
}

const ECDH = { name: "ECDH", namedCurve: "P-256" } as const;
const SALT_BYTES = 16;
const HEADER_BYTES = 21;

interface Secrets {
  readonly privateKey: CryptoKey;
  readonly point: Uint8Array<ArrayBuffer>;
  readonly auth: Uint8Array<ArrayBuffer>;
}

/** RFC 8291, 3.4, read backwards: nothing here is the library's that sealed it. */
async function opened({ body }: DialRequest, { privateKey, point, auth }: Secrets) {
  if (typeof body === "string") throw new Error("A push message is no text");
  const salt = body.slice(0, SALT_BYTES);
  const keyLength = body[HEADER_BYTES - 1] ?? 0;
  const sender = body.slice(HEADER_BYTES, HEADER_BYTES + keyLength);
  const publicKey = await crypto.subtle.importKey("raw", sender, ECDH, false, []);
  const shared = await crypto.subtle.deriveBits({ ...ECDH, public: publicKey }, privateKey, 256);
  const info = new Uint8Array([...text("WebPush: info\0"), ...point, ...sender]);
  const input = await derived(new Uint8Array(shared), { salt: auth, info, length: 32 });
  const part = (name: string, length: number) =>
    derived(input, { salt, info: text(`Content-Encoding: ${name}\0`), length });
  const raw = await part("aes128gcm", 16);
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const iv = await part("nonce", 12);
  const sealed = body.slice(HEADER_BYTES + keyLength);
  const record = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed));
  const end = record.findLastIndex((byte) => byte !== 0);
  if (record[end] !== 2) throw new Error("The record has no delimiter");
  return JSON.parse(new TextDecoder().decode(record.slice(0, end)));
}

async function derived(
  input: Uint8Array<ArrayBuffer>,
  { salt, info, length }: {
    readonly salt: Uint8Array<ArrayBuffer>;
    readonly info: Uint8Array<ArrayBuffer>;
    readonly length: number;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", input, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** The claims of `Authorization: vapid t=…, k=…`, once its signature is good for that key. */
export async function vapidClaims(call: DialRequest): Promise<{ claims: unknown; key: string }> {
  const [, token = "", key = ""] =
    /^vapid t=([^,]+), k=(.+)$/.exec(call.headers["authorization"] ?? "") ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const publicKey = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, ["verify"]);
  const signed = text(`${header}.${claims}`);
  if (!await crypto.subtle.verify(algorithm, publicKey, bytes(signature), signed)) {
    throw new Error("The signature is not good");
  }
  return { claims: JSON.parse(new TextDecoder().decode(bytes(claims))), key };
}

function bytes(encoded: string): Uint8Array<ArrayBuffer> {
  const found = base64Bytes(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  if (found === null) throw new Error(`"${encoded}" is no base64`);
  return found;
}

function urlSafe(some: Uint8Array): string {
  return some.toBase64({ alphabet: "base64url", omitPadding: true });
}

function text(some: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(some);
}
