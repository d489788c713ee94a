/**
 * The second factor (definitions 2, `twoFactor`). The account library asks for it after a password only. Here an account that
 * has one must give it after every first factor, because mail and providers are one factor too.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { ProjectModel } from "../model/mod.ts";
import { type AuthOperation, authOperationsOf } from "../surface/mod.ts";
import type { LibraryInput } from "./library_input.ts";
import { useTotpStep } from "./totp_steps.ts";

/** Selects a session that is fresh enough to replace the password. */
const FRESH = `SELECT 1 FROM "auth_session"
  WHERE "token" = ? AND "created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-10 minutes')`;

/** Query parameter that makes a page ask for the second factor. */
const ASKS = "twoFactorRedirect";

export function twoFactorPlugin(input: LibraryInput) {
  const { project, hooks } = input;
  const plugin = twoFactor({
    issuer: project.name,
    allowPasswordless: true,
    // Each way in is limited by the service, on whatever route it is used (shared/runtime/data/code_guesses.ts).
    accountLockout: { enabled: false },
  });
  const firstFactors = firstFactorsOf(project);
  const fresh = new Set(pathsWhere(project, ({ needsFresh }) => needsFresh));
  const matcher = ({ path = "" }: { readonly path?: string }) => firstFactors.has(path);
  /** Answers to a first factor, until the library has removed its session. */
  const answers = new WeakMap<Request, FirstAnswer>();
  const before = createAuthMiddleware((ctx) => {
    const { returned, newSession } = ctx.context;
    if (ctx.request && newSession?.user["twoFactorEnabled"]) {
      answers.set(ctx.request, { user: newSession.user, location: redirectOf(returned) });
    }
    return Promise.resolve();
  });
  const after = createAuthMiddleware(async (ctx) => {
    const answer = ctx.request && answers.get(ctx.request);
    if (!answer) return;
    const { user: { id, email, name }, location } = answer;
    // The device is trusted, so the session stays.
    if (ctx.context.newSession) return await hooks.after("onSignIn", { user: { id, email, name } });
    if (location === null) return;
    const page = new URL(location, input.settings.baseUrl);
    page.searchParams.set(ASKS, "true");
    throw ctx.redirect(page.href);
  });
  return {
    ...plugin,
    hooks: {
      before: [
        {
          matcher: ({ path = "" }: { readonly path?: string }) => fresh.has(path),
          handler: requiringProof(input),
        },
        {
          matcher: ({ path }: { readonly path?: string }) => path === "/two-factor/verify-totp",
          handler: usingUpStep(input),
        },
      ],
      after: [
        { matcher, handler: before },
        ...plugin.hooks.after.map((hook) => ({ ...hook, matcher })),
        { matcher, handler: after },
      ],
    },
  };
}

/** Returns the library's routes that sign in with one factor. */
export function firstFactorsOf(project: ProjectModel): ReadonlySet<string> {
  return new Set(pathsWhere(project, ({ signsIn }) => signsIn === "firstFactor"));
}

function pathsWhere(
  project: ProjectModel,
  isMeant: (operation: AuthOperation) => boolean,
): readonly string[] {
  return authOperationsOf(project).filter(isMeant).map(({ path }) => path);
}

interface FirstAnswer {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** Page that the browser is redirected to; null: the request is answered directly. */
  readonly location: string | null;
}

/**
 * Requires the password or a fresh session for a change of the second factor, so that nobody can do it on an unattended page.
 */
function requiringProof({ database }: LibraryInput) {
  return createAuthMiddleware(async (ctx) => {
    const session = await getSessionFromCtx(ctx);
    // The route itself refuses a request without a session.
    if (session === null) return;
    // Otherwise the later holder of the address would be asked for a device of somebody else.
    if (ctx.path === "/two-factor/enable" && !session.user.emailVerified) {
      throw new APIError("FORBIDDEN", {
        code: "EMAIL_NOT_VERIFIED",
        message: "Confirm the address of the account first",
      });
    }
    // The route checks a password.
    if (ctx.body?.password !== undefined) return;
    const args = [session.session.token];
    if ((await database.run({ sql: FRESH, args })).rows.length > 0) return;
    throw new APIError("FORBIDDEN", {
      code: "SESSION_NOT_FRESH",
      message: "Sign in again, or give the password",
    });
  });
}

/** Uses up a code's time step. A used code is replaced by one that the library refuses. */
function usingUpStep({ database }: LibraryInput) {
  return createAuthMiddleware(async (ctx) => {
    const userId = await challengedUser(ctx);
    // Without a challenge the route itself refuses.
    if (userId === null) return;
    const isUsed = await useTotpStep(database, {
      userId,
      code: String(ctx.body?.code),
      open: (data) => symmetricDecrypt({ key: ctx.context.secretConfig, data }),
    });
    if (!isUsed) return { context: { body: { ...ctx.body, code: NO_CODE } } };
  });
}

/** A code that no device shows. */
const NO_CODE = "none";

/** Returns the account whose second factor the library checks: that of the session, else that of a first factor. */
async function challengedUser(
  ctx: Parameters<Parameters<typeof createAuthMiddleware>[0]>[0],
): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (session !== null) return session.user.id;
  const { name } = ctx.context.createAuthCookie("two_factor");
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!identifier) return null;
  const found = await ctx.context.internalAdapter.findVerificationValue(identifier);
  return found?.value ?? null;
}

function redirectOf(returned: unknown): string | null {
  if (!isAPIError(returned) || returned.statusCode !== 302) return null;
  return new Headers(returned.headers).get("location");
}
