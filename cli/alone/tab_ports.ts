/** Ports of an API in a tab: no network, no limits that a user could exceed, and webhooks that end in the page. */
import type { Delivery } from "../../playground/mod.ts";
import type {
  Clock,
  Dialer,
  Logger,
  Randomness,
  RateLimiter,
  Resolver,
  Timer,
} from "../../shared/runtime/mod.ts";
import type { AccountsDependencies } from "../../shared/accounts/mod.ts";

/** Address of the sink; the name is reserved for examples (RFC 2606). */
export const SINK = "https://webhooks.quickback.example/here";

export const clock: Clock = { now: () => Date.now() };

export const random: Randomness = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

export const timer: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, milliseconds);
    return () => clearTimeout(id);
  },
};

export const logger: Logger = {
  log({ level, message, error }) {
    if (level === "error") console.error(message, error);
  },
};

export const limiter: RateLimiter = {
  take: () => true,
  lend: () => Promise.resolve({ giveBack: () => Promise.resolve() }),
};

/** Resolves every name to one address, public in form and routed nowhere (RFC 3701): no connection is made to it. */
export const resolver: Resolver = {
  resolve: () => Promise.resolve({ addresses: ["3ffe::1"], exists: true, failure: null }),
};

/** Sends deliveries to the page's sink, which is the only destination. */
export function sinkDialer(onDelivery: (delivery: Delivery) => void): Dialer {
  let number = 0;
  return {
    post({ url, headers, body }) {
      if (!url.startsWith(SINK)) {
        return Promise.resolve({ kind: "failed", reason: "A tab reaches no other host" });
      }
      onDelivery({
        number: ++number,
        at: new Date().toISOString(),
        headers: Object.entries(headers),
        body: typeof body === "string" ? body : new TextDecoder().decode(body),
        answered: 200,
      });
      const answer = { status: 200, location: null, retryAfter: null, body: "" };
      return Promise.resolve({ kind: "answered", ...answer });
    },
  };
}

const ROUNDS = 1000;

/** Derives passwords with the platform's function in few rounds, because the accounts live only as long as a tab. */
export const passwords: NonNullable<AccountsDependencies["passwords"]> = {
  async hash(password) {
    const salt = random.bytes(16).toHex();
    return `${salt}.${await derived(password, salt)}`;
  },
  async verify({ hash, password }) {
    const [salt = "", known = ""] = hash.split(".");
    return await derived(password, salt) === known;
  },
};

async function derived(password: string, salt: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(password), "PBKDF2", false, [
    "deriveBits",
  ]);
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: ROUNDS };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256)).toHex();
}
