/** Push messages as the project and its operator configure them. */
import { join } from "node:path";
import { z } from "zod";
import { base64Bytes } from "../../shared/lib/bytes.ts";
import type { Variables } from "../../shared/lib/variables.ts";
import type { Logger, PushSealer, PushTarget, Settings } from "../../shared/runtime/ports.ts";
import { keptText } from "./own_file.ts";
import { folderOf } from "./read_environment.ts";

export interface PushSettings extends VapidOptions {
  readonly logger: Logger;
}

/** Returns members of the ports of webhooks. A project without push messages needs no keys. */
export async function configuredPush(
  { push }: { readonly push: boolean },
  { logger, ...options }: PushSettings,
): Promise<{ readonly push?: PushSealer }> {
  if (!push) return {};
  const keys = await readVapidKeys(options);
  // Pages need this key to subscribe. It is no secret.
  const fields = { applicationServerKey: keys.publicKey };
  logger.log({ level: "info", message: "Push messages are on", fields });
  return { push: webPushSealer(keys) };
}

/**
 * Makes the sealer, which encrypts push messages and signs for their sender by a library over Web Crypto (RFC 8291, RFC 8292).
 */
export function webPushSealer(keys: VapidKeys): PushSealer {
  return {
    async seal({ endpoint, p256dh, auth }, payload) {
      const target = { endpoint, expirationTime: null, keys: { p256dh, auth } };
      if (!await areKeys(target.keys)) return null;
      const { encryptNotification, vapidHeaders } = await import("@block65/webcrypto-web-push");
      const body = await encryptNotification(target, new TextEncoder().encode(payload));
      const { headers } = await vapidHeaders(target, keys);
      return {
        headers: {
          ...headers,
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
        },
        body,
      };
    },
  };
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** True for keys that a browser made: beyond the length, the point must be on the curve. */
async function areKeys({ p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">): Promise<boolean> {
  const point = keyBytes(p256dh);
  if (point?.length !== POINT_BYTES || keyBytes(auth)?.length !== AUTH_BYTES) return false;
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  return await crypto.subtle.importKey("raw", point, algorithm, false, []).then(
    () => true,
    () => false,
  );
}

/** Decodes base64 of either alphabet; null: it is invalid. */
function keyBytes(text: string): Uint8Array<ArrayBuffer> | null {
  return base64Bytes(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/**
 * The keys that identify the sender of push messages (RFC 8292, definitions 8). An operator sets them; in development they are
 * made once.
 */
export interface VapidKeys {
  /** The uncompressed point in base64url, with which pages subscribe. */
  readonly publicKey: string;
  /** 32 bytes in base64url. */
  readonly privateKey: string;
  /** Contact for the push service: a mail address or a page. */
  readonly subject: string;
}

export interface VapidOptions {
  readonly variables: Variables;
  readonly databaseUrl: string;
  readonly settings: Pick<Settings, "baseUrl" | "production">;
}

const KEYS_FILE = "vapid_keys.json";
const PUBLIC_BYTES = 65;
const PRIVATE_BYTES = 32;
const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
/** Contact in development. */
const NOBODY = "mailto:nobody@example.com";

const pair = z.strictObject({ publicKey: z.string(), privateKey: z.string() });
type Pair = z.infer<typeof pair>;

export async function readVapidKeys(options: VapidOptions): Promise<VapidKeys> {
  const keys = await requirePair(given(options) ?? await keptPair(options));
  return { ...keys, subject: readSubject(options) };
}

/** Returns the configured keys; null: none are set, which is allowed in development only. */
function given({ variables, settings: { production } }: VapidOptions): Pair | null {
  const publicKey = variables.get("VAPID_PUBLIC_KEY")?.trim() ?? "";
  const privateKey = variables.get("VAPID_PRIVATE_KEY")?.trim() ?? "";
  if (publicKey !== "" && privateKey !== "") return { publicKey, privateKey };
  if (publicKey === "" && privateKey === "" && !production) return null;
  throw new Error(
    "Cannot start: VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be set, because the project sends push messages: " +
      'generate them with "npx web-push generate-vapid-keys"',
  );
}

async function keptPair({ databaseUrl }: VapidOptions): Promise<Pair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(ECDSA, true, [
    "sign",
    "verify",
  ]);
  const { d = "" } = await crypto.subtle.exportKey("jwk", privateKey);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const made: Pair = { publicKey: urlSafe(point), privateKey: d };
  const kept = await keptText(join(folderOf(databaseUrl), KEYS_FILE), JSON.stringify(made));
  return pair.parse(JSON.parse(kept));
}

/** Throws unless a signature of one key verifies with the other. */
async function requirePair(keys: Pair): Promise<Pair> {
  const point = keyBytes(keys.publicKey);
  const secret = keyBytes(keys.privateKey);
  if (point?.length === PUBLIC_BYTES && secret?.length === PRIVATE_BYTES) {
    const normal = { publicKey: urlSafe(point), privateKey: urlSafe(secret) };
    if (await isPair(point, normal.privateKey).catch(() => false)) return normal;
  }
  throw new Error(
    "Cannot start: VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are no pair of P-256 keys in base64url",
  );
}

async function isPair(point: Uint8Array<ArrayBuffer>, d: string): Promise<boolean> {
  const [x, y] = [urlSafe(point.slice(1, 33)), urlSafe(point.slice(33))];
  const jwk = { kty: "EC", crv: "P-256", x, y, d };
  const privateKey = await crypto.subtle.importKey("jwk", jwk, ECDSA, false, ["sign"]);
  const publicKey = await crypto.subtle.importKey("raw", point, ECDSA, false, ["verify"]);
  const signature = await crypto.subtle.sign(ECDSA, privateKey, point);
  return await crypto.subtle.verify(ECDSA, publicKey, signature, point);
}

function readSubject({ variables, settings: { baseUrl, production } }: VapidOptions): string {
  const text = variables.get("VAPID_SUBJECT")?.trim() ?? "";
  const subject = text !== "" ? text : baseUrl.startsWith("https:") ? baseUrl : NOBODY;
  const isSubject = /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(subject);
  if (isSubject && !(production && subject === NOBODY)) return subject;
  throw new Error(
    "Cannot start: VAPID_SUBJECT must be an address such as 'mailto:ops@example.com', or an https: URL",
  );
}

function urlSafe(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
