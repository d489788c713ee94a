/** The account library of the build service: e-mail and password, device codes (RFC 8628), in one SQLite file. */
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { deviceAuthorization } from "better-auth/plugins/device-authorization";
import { makeOwnFile } from "../../library/platform/own_file.ts";

export const ACCOUNTS_BASE = "/auth/v1";
const CLIENT_ID = "quickback-cli";

export interface AccountLibrary extends Disposable {
  /** Answers a request by the library's own routes, with its own limits. */
  handle(request: Request): Promise<Response>;
  /** Returns the user of a session, and ends the session. */
  redeemed(sessionToken: string): Promise<string | null>;
}

/** Header with the caller's address for the limits. Behind a router all callers would have one address. */
export const ADDRESS_HEADER = "x-quickback-caller";

/** Limits per minute. A person who signs up has shown a key of the service. */
const LIMITS = {
  "/sign-in/email": { window: 60, max: 20 },
  "/sign-up/email": { window: 60, max: 60 },
  "/device": { window: 60, max: 60 },
  "/device/code": { window: 60, max: 60 },
  "/device/token": { window: 60, max: 600 },
};

const SESSION = z.object({ userId: z.string() });

export async function openAccountLibrary(options: {
  readonly file: string;
  readonly baseUrl: string;
  readonly secret: Uint8Array;
  readonly onMessage: (level: "info" | "error", message: string) => void;
}): Promise<AccountLibrary> {
  makeOwnFile(options.file);
  const database = new DatabaseSync(options.file);
  const settings = {
    appName: "quickback",
    baseURL: options.baseUrl,
    basePath: ACCOUNTS_BASE,
    secret: new Uint8Array(options.secret).toBase64(),
    database,
    emailAndPassword: { enabled: true },
    plugins: [
      deviceAuthorization({
        expiresIn: "15m",
        interval: "5s",
        verificationUri: "/device",
        validateClient: (id: string) => id === CLIENT_ID,
      }),
    ],
    rateLimit: { enabled: true, storage: "memory" as const, customRules: LIMITS },
    telemetry: { enabled: false },
    logger: {
      level: "warn" as const,
      log: (level: string, message: string) =>
        options.onMessage(level === "error" ? "error" : "info", `Accounts: ${message}`),
    },
    advanced: { ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] } },
  };
  await (await getMigrations(settings)).runMigrations();
  const library = betterAuth(settings);
  return {
    handle: (request) => library.handler(request),
    async redeemed(sessionToken) {
      // `internalAdapter` is not used: outside of a request it takes the adapter of whatever asynchronous context is left.
      const { adapter } = await library.$context;
      const session = { model: "session", where: [{ field: "token", value: sessionToken }] };
      const found = SESSION.safeParse(await adapter.findOne(session));
      if (!found.success) return null;
      await adapter.delete(session);
      return found.data.userId;
    },
    [Symbol.dispose]: () => database.close(),
  };
}
