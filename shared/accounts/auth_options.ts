/** Options of the account library for one project (definitions 2, `providers.auth`; 7, "session cookie"). */
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { createAuthMiddleware } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth/types";
import { CONTRACT_VERSIONS, PASSWORD_LENGTH } from "../contract/mod.ts";
import { isLocalOrigin } from "../lib/http.ts";
import { authTables, type LinkedMail, sendsNotices } from "../model/mod.ts";
import type { LogEntry } from "../runtime/ports.ts";
import { closedPathsOf } from "../surface/mod.ts";
import { requireProvedInviter } from "./require_session_rights.ts";
import { keyCreation } from "./api_key_creation.ts";
import * as mails from "./account_mails.ts";
import { pluginsOf } from "./auth_plugins.ts";
import { type LibraryWrites, libraryWrites } from "./credentials/library_writes.ts";
import { CLIENT_IP_HEADER } from "./library_request.ts";
import { equalWork } from "./equal_work.ts";
import { requireFreeSlug } from "./free_slug.ts";
import {
  countInvitation,
  type InvitationCounts,
  shareOf,
  takeMail,
  takeNotice,
  uncountInvitation,
} from "./mail_limits.ts";
import { leaveOrganizations, requireNoLastOwner } from "./last_owner.ts";
import * as lifeCycle from "./life_cycle.ts";
import { openLink } from "./mailed_links/link_acts.ts";
import { unprovedInvitations } from "./mailed_links/unproved_invitations.ts";
import { LINKING, oidcPlugin, socialProviders, WITHOUT_TOKENS } from "./providers.ts";
import { providerProofs } from "./provider_proofs.ts";
import { onlyOrganizationOf, roleByAddress } from "./memberships.ts";
import { devicesPlugin } from "./security_log/devices.ts";
import { recordedScene, recordingActs } from "./security_log/record_acts.ts";
import { sqlAdapter } from "./sql_adapter.ts";
import { LibraryInput } from "./library_input.ts";

const DAY_SECONDS = 24 * 60 * 60;

/** The options of one project's better-auth instance. */
export function authOptions(input: LibraryInput) {
  const { project, settings, secret } = input;
  const { session } = project.auth;
  const writes = watchedWrites(input);
  return {
    appName: project.name,
    baseURL: settings.baseUrl,
    basePath: CONTRACT_VERSIONS[project.contract].authBase,
    secret,
    secrets: [...input.secrets],
    database: sqlAdapter(input.database, {
      tables: authTables(project.auth),
      roleOf: roleByAddress(project, input),
      writes,
    }),
    trustedOrigins: (request) => [...project.trustedOrigins, ...localOriginOf(request, input)],
    session: {
      expiresIn: session.expiresInDays * DAY_SECONDS,
      updateAge: session.updateAgeInDays * DAY_SECONDS,
    },
    ...passwordOptions(input),
    socialProviders: socialProviders(input),
    account: LINKING,
    user: userOptions(input),
    databaseHooks: hooksOf(input, writes),
    plugins: [
      ...pluginsOf(input),
      ...(input.oidc === undefined ? [] : [oidcPlugin(input.oidc, input)]),
      providerProofs(input, writes),
      devicesPlugin(input),
      equalWork(input),
    ],
    hooks: callHooks(input),
    rateLimit: rateLimitOf(input),
    disabledPaths: [...closedPathsOf(project)],
    telemetry: { enabled: false },
    // An error that is no refusal of the library leaves it as an exception, and is answered like every internal error.
    onAPIError: { throw: true, errorURL: project.email.links?.appUrl ?? `${settings.baseUrl}/` },
    logger: { level: "warn", log: (level, ...said) => input.logger.log(entryOf(level, said)) },
    advanced: advancedOptions(input),
  } satisfies BetterAuthOptions;
}

function userOptions(input: LibraryInput) {
  const { project, database } = input;
  return {
    changeEmail: { enabled: true },
    deleteUser: {
      enabled: true,
      ...(project.multiTenant
        ? { beforeDelete: ({ id }: { readonly id: string }) => leaveOrganizations(database, id) }
        : {}),
      sendDeleteAccountVerification: (about, request) =>
        sendLink(input, "deleteAccount", about, request),
    },
  } satisfies BetterAuthOptions["user"];
}

/** What is judged before a call of the library, and what follows it. */
function callHooks(input: LibraryInput) {
  const { project } = input;
  const invitations: InvitationCounts = new WeakMap();
  return {
    before: createAuthMiddleware(async (ctx) => {
      if (project.multiTenant) {
        await requireNoLastOwner(ctx, input.database);
        await countInvitation(ctx, input.database, invitations);
      }
      if (ctx.path === "/organization/check-slug") {
        await requireFreeSlug(input.database, ctx.body.slug, null);
      }
      await requireProvedInviter(ctx, input);
      return await unprovedInvitations(ctx) ?? await keyCreation(ctx, input);
    }),
    after: createAuthMiddleware(async (ctx) => {
      await uncountInvitation(ctx, input.database, invitations);
      await lifeCycle.afterLeaving(input, ctx);
    }),
  } satisfies BetterAuthOptions["hooks"];
}

function advancedOptions(input: LibraryInput) {
  return {
    useSecureCookies: input.settings.baseUrl.startsWith("https://"),
    defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
    ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
    disableCSRFCheck: false,
    disableOriginCheck: false,
    // A failure of background work must not fail an answer.
    backgroundTasks: {
      handler: (task) => {
        const ended = task.catch((error: unknown) =>
          input.logger.log({ level: "error", message: "Accounts: background task failed", error })
        ).then(() => void input.tasks.delete(ended));
        input.tasks.add(ended);
      },
    },
  } satisfies BetterAuthOptions["advanced"];
}

/** Returns the library's rate limit. Routes such as sign-in have lower limits in the library. */
function rateLimitOf({ project, settings, limiter }: LibraryInput) {
  const { enabled, window, max } = project.auth.rateLimit;
  return {
    enabled: enabled === "production" ? settings.production : enabled,
    customStorage: {
      async consume(key, { window, max }) {
        const allowed = await limiter.take(`accounts:${key}`, max, window);
        return { allowed, retryAfter: allowed ? null : window };
      },
    },
    ...(window === null ? {} : { window }),
    ...(max === null ? {} : { max }),
  } satisfies BetterAuthOptions["rateLimit"];
}

function passwordOptions(input: LibraryInput) {
  const { project, database, email, passwords } = input;
  return {
    emailAndPassword: {
      ...(passwords ? { password: passwords } : {}),
      enabled: project.auth.emailAndPassword,
      disableSignUp: project.auth.disableSignUp,
      requireEmailVerification: project.auth.requireEmailVerification,
      minPasswordLength: PASSWORD_LENGTH.min,
      // The library counts UTF-16 units, of which a code point has at most two. The routes count code points.
      maxPasswordLength: 2 * PASSWORD_LENGTH.max,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: (about, request) => sendLink(input, "resetPassword", about, request),
    },
    emailVerification: {
      sendOnSignUp: project.auth.emailAndPassword,
      async sendVerificationEmail(about, request) {
        // The library calls this for two messages. The path tells which one.
        if (!(request !== undefined && new URL(request.url).pathname.endsWith("/change-email"))) {
          return await sendLink(input, "verifyEmail", about, request);
        }
        const { user } = about;
        const { email: old } = await lifeCycle.userOf(database, user.id) ?? user;
        if (await takeNotice(database, old, "changeEmail")) {
          await email.send(mails.addressChangeNotice(project, old, user.email));
        }
        await sendLink(input, "changeEmail", about, request, old);
      },
    },
  } satisfies BetterAuthOptions;
}

/** Sends a link. `old` is the account's present address, if the message goes to another one. */
async function sendLink(
  input: LibraryInput,
  act: Exclude<LinkedMail, "invitation" | "magicLink">,
  { user: { id, email: to, name }, url }: {
    readonly user: { readonly id: string; readonly email: string; readonly name: string };
    /** The library's own link. Only the client's pages are taken from it. */
    readonly url: string;
  },
  request: Request | undefined,
  old?: string,
): Promise<void> {
  if (!await takeMail(input.database, to, await shareOf(input, request))) return;
  const moving = old === undefined ? { email: to } : { email: old, newEmail: to };
  const token = await openLink(input, { act, user: id, ...moving });
  const asked = new URL(url).searchParams;
  const languages = mails.languagesOf(request);
  await mails.sendMail(input, act, { to, keys: { token }, asked, languages, values: { name } });
}

/** Connects the library's writes to account events. When an account is taken over, its former address gets a notice. */
function watchedWrites(input: LibraryInput): LibraryWrites {
  const { email, logger } = input;
  const notifies = sendsNotices(input.project.email);
  const writes = libraryWrites({
    scene: recordedScene(input),
    call: () => {
      const context = tryGetCurrentAuthEndpointContext();
      if (!context) return null;
      const actor = context.context.session?.user.id ?? null;
      return { path: context.path ?? "", key: context, actor };
    },
    onTakenOver: (taken) => {
      email.send(mails.takeOverNotice(input.project, taken)).catch((error: unknown) =>
        logger.log({ level: "error", message: "Accounts: a notice was not sent", error })
      );
    },
  });
  return recordingActs(writes, notifies);
}

function hooksOf(input: LibraryInput, writes: LibraryWrites) {
  const { project, database } = input;
  const life = lifeCycle.userLifeCycle(input);
  return {
    user: {
      create: {
        async before(user) {
          const { email } = user;
          // A person who only gave an address was asked for no name, and a provider may send anything.
          const name = mails.plainName(user.name) || email.slice(0, email.lastIndexOf("@"));
          await lifeCycle.requireAllowed(input.hooks, "beforeSignUp", { user: { email, name } });
          return { data: { ...user, name } };
        },
        ...life.create,
      },
      update: life.update,
      delete: life.delete,
    },
    account: WITHOUT_TOKENS,
    session: {
      create: {
        // A new session is in the user's only organization. After a taking over it is in none.
        before: async (session) => {
          if (!project.multiTenant) return;
          const { userId } = session;
          const activeOrganizationId = writes.isTakingOver(userId)
            ? null
            : await onlyOrganizationOf(database, userId);
          return { data: { ...session, activeOrganizationId } };
        },
        ...lifeCycle.sessionLifeCycle(input),
      },
    },
  } satisfies BetterAuthOptions["databaseHooks"];
}

/** Returns the request's origin in development if it is a page of this machine, on any port. */
function localOriginOf(request: Request | undefined, { settings }: LibraryInput): string[] {
  const origin = request?.headers.get("origin") ?? "";
  return !settings.production && isLocalOrigin(origin) ? [origin] : [];
}

/**
 * Converts a message of the library to a log entry. The library logs refused requests as errors without an exception; they
 * become warnings.
 */
function entryOf(level: LogEntry["level"], [message, ...details]: readonly unknown[]): LogEntry {
  const error = details.find((detail) => detail instanceof Error);
  const text = `Accounts: ${typeof message === "string" ? message : "message without text"}`;
  if (error) return { level, message: text, error };
  return { level: level === "error" ? "warn" : level, message: text };
}
