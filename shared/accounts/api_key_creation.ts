/**
 * New API keys (definitions 7 "Smaller answers"): bound to the organization that their maker acts in, without a limit of
 * their own and with all that the maker may, unless something narrower is asked for. The library lets only its server side say either, so the request is made there.
 */
import { APIError, getSessionFromCtx } from "better-auth/api";
import { z } from "zod";
import { storedPermissions } from "../model/mod.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";

const CREATION_PATH = "/api-key/create";

/** A limit restricts its own key alone: whoever makes a key may ask for one. */
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
});

/** Input of the library's server side. */
export type KeyCreation = Omit<z.infer<typeof creation>, "permissions"> & {
  readonly userId: string;
  readonly rateLimitEnabled: boolean;
  readonly permissions: Record<string, string[]>;
};

/** Answers the route of the library's client. `create` is the library's own creation, called as its server side. */
export async function keyCreation(
  ctx: AuthMiddlewareContext,
  create: (key: KeyCreation) => Promise<Record<string, unknown>>,
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
  const { permissions: grants = null, ...limits } = asked.data;
  const { rateLimitMax, rateLimitEnabled = rateLimitMax !== undefined } = limits;
  // A key made without an active organization acts in none.
  const id: unknown = Object.getOwnPropertyDescriptor(session.session, "activeOrganizationId")
    ?.value;
  return ctx.json(
    await create({
      ...limits,
      userId: session.user.id,
      rateLimitEnabled,
      permissions: storedPermissions({
        organizationId: typeof id === "string" && id !== "" ? id : null,
        grants,
      }),
    }),
  );
}
