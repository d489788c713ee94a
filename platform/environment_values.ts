/** Meaning of a generated API's variables on every platform (definitions 8); refuses to start on anything doubtful. */
import { readList, SECRET_MIN_BYTES } from "../shared/lib/variables.ts";
import { PUBLIC_RESOLVER } from "./webhooks/doh_resolver.ts";

/** Value of `DATABASE_URL` when it is not set. */
export const DEFAULT_DATABASE_URL = "file:./data/app.db";

export function readBaseUrl(text: string | null): string {
  const url = text === null ? null : URL.parse(text);
  const isOrigin = url !== null && ["http:", "https:"].includes(url.protocol) &&
    url.origin === text?.replace(/\/$/, "").toLowerCase();
  if (isOrigin) return url.origin;
  throw new Error("Cannot start: BASE_URL must be an origin such as 'https://api.example.com'");
}

export function readResolverUrl(text: string | null): string {
  if (text === null) return PUBLIC_RESOLVER;
  if (["http:", "https:"].includes(URL.parse(text)?.protocol ?? "")) return text;
  throw new Error(
    "Cannot start: WEBHOOK_RESOLVER_URL must be a URL such as 'https://dns.example.com/dns-query'",
  );
}

/** Addresses with commas between them. */
export function readEmails(name: string, text: string | null): readonly string[] {
  const addresses = readList(text);
  const wrong = addresses.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  if (wrong === undefined) return addresses;
  throw new Error(
    `Cannot start: ${name} must be e-mail addresses with commas between them, as in 'you@example.com', not '${wrong}'`,
  );
}

export function readSecret(text: string): Uint8Array {
  const secret = new TextEncoder().encode(text);
  if (secret.length >= SECRET_MIN_BYTES) return secret;
  throw new Error(`Cannot start: AUTH_SECRET must have at least ${SECRET_MIN_BYTES} bytes`);
}
