/**
 * New API keys (definitions 7 "Smaller answers"). A key belongs to the active organization of its maker, has no rate limit, and
 * may do all that its maker may, unless the request asks for less. The library accepts these values from its server side only,
 * so the service makes the request there.
 */
import { APIError, getSessionFromCtx } from "better-auth/api";
import { z } from "zod";
import { storedPermissions } from "../model/mod.ts";
import type { Database } from "../runtime/ports.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";
import { requireRights } from "./require_session_rights.ts";
import { type SessionHost, sessionRights } from "./session_rights.ts";

const CREATION_PATH = "/api-key/create";

/** Body of the request. A limit restricts only the key itself, so every maker may ask for one. */
const creation = z.strictObject({
  name: z.string().optional(),
  prefix: z.string().optional(),
  expiresIn: z.number().int().min(1).nullable().optional(),
  remaining: z.number().int().min(1).nullable().optional(),
  refillAmount: z.number().int().min(1).optional(),
  refillInterval: z.number().int().min(1000).optional(),
  rateLimitMax: z.number().int().min(1).optional(),
  rateLimitTimeWindow: z.number().int().min(1000).optional(),
  rateLimitEnabled: z.boolean().optional(),
  permissions: z.record(z.string(), z.array(z.string())).optional(),
  platformRole: z.boolean().optional(),
});

/** Input of the library's server side. */
export type KeyCreation = Omit<z.infer<typeof creation>, "permissions" | "platformRole"> & {
  readonly userId: string;
  readonly rateLimitEnabled: boolean;
  readonly permissions: Record<string, string[]>;
};

/** Answers the route of the library's client. Refuses with `EMAIL_UNVERIFIED` and `SECOND_FACTOR_REQUIRED`. */
export async function keyCreation(
  ctx: AuthMiddlewareContext,
  means: SessionHost & {
    readonly database: Database;
    /** The library's own creation of a key, called from the server side. */
    readonly createKey: (key: KeyCreation) => Promise<Record<string, unknown>>;
  },
) {
  if (ctx.path !== CREATION_PATH || ctx.request === undefined) return;
  const session = await getSessionFromCtx(ctx);
  if (!session) {
    throw new APIError("UNAUTHORIZED", { message: "Unauthorized", code: "UNAUTHORIZED" });
  }
  const asked = creation.safeParse(ctx.body ?? {});
  if (!asked.success) {
    const { issues: [first] } = asked.error;
    const message = first === undefined
      ? "Invalid key"
      : `${first.path.join(".") || "body"}: ${first.message}`;
    throw new APIError("BAD_REQUEST", { message, code: "VALIDATION_ERROR" });
  }
  const { permissions: grants = null, platformRole = false, ...limits } = asked.data;
  const maker = await sessionRights(means.database, session.session.id);
  requireRights(maker, means, { platformRole });
  const { rateLimitMax, rateLimitEnabled = rateLimitMax !== undefined } = limits;
  // A key made without an active organization belongs to none.
  const id: unknown = Object.getOwnPropertyDescriptor(session.session, "activeOrganizationId")
    ?.value;
  const key = await means.createKey({
    ...limits,
    userId: session.user.id,
    rateLimitEnabled,
    permissions: storedPermissions({
      organizationId: typeof id === "string" && id !== "" ? id : null,
      grants,
    }),
  });
  await keepMaker(means.database, {
    keyId: String(key["id"]),
    sessionId: session.session.id,
    platformRole,
  });
  return ctx.json(key);
}

/** Records in what kind of session a key was made. If the session has ended meanwhile, the key is deleted. */
async function keepMaker(
  database: Database,
  { keyId, sessionId, platformRole }: {
    readonly keyId: string;
    readonly sessionId: string;
    readonly platformRole: boolean;
  },
): Promise<void> {
  const isKept = await database.write(async (transaction) => {
    const { changes } = await transaction.run({
      sql: `UPDATE "auth_apikey" SET "platform_role" = ?, "after_proof" = "s"."after_proof"
        FROM "auth_session" AS "s" WHERE "s"."id" = ? AND "auth_apikey"."id" = ?`,
      args: [platformRole ? 1 : 0, sessionId, keyId],
    });
    if (changes > 0) return true;
    await transaction.run({ sql: `DELETE FROM "auth_apikey" WHERE "id" = ?`, args: [keyId] });
    return false;
  });
  if (isKept) return;
  throw new APIError("UNAUTHORIZED", { message: "Unauthorized", code: "UNAUTHORIZED" });
}
