/** Encrypts push messages and signs for their sender with a library over Web Crypto (RFC 8291, RFC 8292). */
import { encryptNotification, vapidHeaders } from "@block65/webcrypto-web-push";
import { base64Bytes } from "../../shared/lib/bytes.ts";
import type { PushSealer, PushTarget } from "../../shared/runtime/ports.ts";
import type { VapidKeys } from "./vapid_keys.ts";

export function webPushSealer(keys: VapidKeys): PushSealer {
  return {
    async seal({ endpoint, p256dh, auth }, payload) {
      const target = { endpoint, expirationTime: null, keys: { p256dh, auth } };
      if (!await areKeys(target.keys)) return null;
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

/** True for keys that a browser made, beyond their length: the point must lie on the curve. */
async function areKeys({ p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">): Promise<boolean> {
  const point = bytesOf(p256dh);
  if (point?.length !== POINT_BYTES || bytesOf(auth)?.length !== AUTH_BYTES) return false;
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  return await crypto.subtle.importKey("raw", point, algorithm, false, []).then(
    () => true,
    () => false,
  );
}

/** Of either alphabet; null: it is no base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  return base64Bytes(text.replaceAll("-", "+").replaceAll("_", "/"));
}
