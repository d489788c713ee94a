/**
 * New API keys (definitions 7 "Smaller answers"): bound to the organization that their maker acts in, without a limit of
 * their own unless one is asked for. The library lets only its server side say either, so the request is made there.
 */
import { APIError, getSessionFromCtx } from "better-auth/api";
import { z } from "zod";
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
});

/** Input of the library's server side. */
export type KeyCreation = z.infer<typeof creation> & {
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
    const message = messageOf(asked.error);
    throw new APIError("BAD_REQUEST", { message, code: "VALIDATION_ERROR" });
  }
  const { rateLimitMax, rateLimitEnabled = rateLimitMax !== undefined } = asked.data;
  return ctx.json(
    await create({
      ...asked.data,
      userId: session.user.id,
      rateLimitEnabled,
      permissions: organizationOf(session.session),
    }),
  );
}

/** A key made without an active organization acts in none. */
function organizationOf(session: object): Record<string, string[]> {
  const id: unknown = Object.getOwnPropertyDescriptor(session, "activeOrganizationId")?.value;
  return { organization: typeof id === "string" && id !== "" ? [id] : [] };
}

function messageOf({ issues: [first] }: z.ZodError): string {
  return first === undefined
    ? "Invalid key"
    : `${first.path.join(".") || "body"}: ${first.message}`;
}
