/** Real accounts: sign-up, sessions, organizations and invitations, all through better-auth (contract 5.1, definitions 7). */
import { isJsonObject } from "../lib/json.ts";
import { onceMade } from "../lib/memo.ts";
import { requireStrongSecret } from "../lib/variables.ts";
import { type ProjectModel, projectRolesOf } from "../model/mod.ts";
import type { Accounts, AuthHooks, Connection, Database, MemberWatch } from "../runtime/ports.ts";
import type { SignedIn, TokenWatch } from "../runtime/ports.ts";
import { DatabaseUnavailableError } from "../runtime/ports.ts";
import { emailSenderOf } from "./account_mails.ts";
import type { LibraryInput } from "./library_input.ts";
import { apiKeyJudge, type KeyUse, writeKeyUse } from "./api_keys.ts";
import { challengeReader } from "./challenges.ts";
import { clientGrantReader } from "./client_grants.ts";
import { organizationEnding } from "./credentials/end_organization.ts";
import type { AccountsDependencies } from "./dependencies.ts";
import type { AccountLibrary } from "./library.ts";
import { hasSessionCookie, libraryRequest, undisputedCookies } from "./library_request.ts";
import { librarySecret } from "./library_secret.ts";
import { olderCredentials } from "./older_credentials.ts";
import { acceptingPrevious } from "./previous_secret.ts";
import { followLink } from "./mailed_links/follow_link.ts";
import { describedLink } from "./mailed_links/link_rows.ts";
import { requireSurroundings, withChosenMail } from "./surroundings.ts";
import { roleByAddress, rolesOfMember } from "./memberships.ts";
import { rightsRefusal, sessionRights } from "./session_rights.ts";
import { cookieProof, sessionReader } from "./sessions.ts";
import { openSecurityLog } from "./security_log/open_log.ts";
import { standingReader } from "./standing.ts";
import { strangeRoles } from "./stored_roles.ts";

/** Makes the accounts of one application. The library behind them is loaded by the first request that needs it. */
export function createAccounts(
  compiled: ProjectModel,
  dependencies: AccountsDependencies,
): Accounts {
  const project = withChosenMail(compiled, dependencies.settings);
  const { authSecret, authSecretPrevious = null } = dependencies.settings;
  requireStrongSecret(authSecret);
  if (authSecretPrevious !== null) requireStrongSecret(authSecretPrevious);
  requireSurroundings(project, dependencies);
  const { detached } = dependencies;
  let watching: TokenWatch | null = null;
  let members: MemberWatch | null = null;
  const { database, told } = watchOutages(
    watchedDatabase(dependencies.database, () => members),
  );
  const library = onceMade(() =>
    detached(() =>
      loadLibrary(project, {
        ...dependencies,
        database,
        watch: () => watching,
        members: () => members,
        isSignedIn: async (headers) => await sessions.of(headers) !== null,
      })
    )
  );
  if (project.auth.signIn?.twoFactor && authSecretPrevious !== null) {
    renewEncrypted(dependencies, authSecretPrevious);
  }
  listStrangeRoles(project, dependencies);
  reportOlder(project, dependencies);
  const rules = rulesOf(project, dependencies);
  const { sessions, newestSessions, firstFactorOf } = readSessionsOf(rules, dependencies);
  const { claimUse, ...calls } = libraryCalls(
    project,
    { ...dependencies, database },
    { library, told, sessions },
  );
  return {
    ...calls,
    hasSessionCookie,
    session: async (headers) => (await sessions.of(headers))?.principal ?? null,
    accountOf: async (headers) => (await sessions.of(headers))?.email ?? null,
    challenged: async (headers) =>
      (await newestSessions.of(headers))?.userId ?? await firstFactorOf(headers),
    signedIn: async (headers) => signedInAs(await sessions.of(headers), { project, dependencies }),
    endOrganization: organizationEnding(project),
    watchTokens: (watch) => void (watching = watch),
    watchMembers: (watch) => void (members = watch),
    mailedLink: (path, token) => describedLink(dependencies.database, path, token),
    async organizationDeleted(subject) {
      await dependencies.hooks?.after("onOrganizationDeleted", subject);
    },
    apiKey: apiKeyJudge({
      ...rules,
      claimUse,
      noteUse: (use) => noteKeyUse(dependencies, use),
    }),
    clientGrant: clientGrantReader(rules),
    securityLog: openSecurityLog(project, dependencies),
    standing: standingReader({ ...rules, sessions }),
    async rolesIn(organizationId, userId) {
      if (!project.multiTenant) return null;
      const roles = await rolesOfMember(dependencies.database, { organizationId, userId });
      return roles && projectRolesOf(roles);
    },
  };
}

/** What the library itself answers. */
function libraryCalls(
  project: ProjectModel,
  { database, detached, settings: { baseUrl, production } }: AccountsDependencies,
  { library, told, sessions }: {
    readonly library: () => Promise<AccountLibrary>;
    readonly told: OutageWatch["told"];
    readonly sessions: ReturnType<typeof sessionReader>;
  },
) {
  const requestOf = (request: Request, connection?: Connection) =>
    libraryRequest(request, { project, baseUrl, production, connection });
  const claimUse = async (used: Parameters<AccountLibrary["claimKeyUse"]>[0]) => {
    const { claimKeyUse } = await library();
    return await told(() => detached(() => claimKeyUse(used)), (refusal) => refusal !== null);
  };
  return {
    claimUse,
    async isOwnPassword(headers, password) {
      const cookie = undisputedCookies(headers);
      if (cookie === null) return false;
      const { isPassword } = await library();
      return await told(() => detached(() => isPassword(cookie, password)), (is) => !is);
    },
    async followLink(asked, connection) {
      const { answering, links } = await library();
      const headers = requestOf(new Request(baseUrl, asked), connection).headers;
      const means = {
        database,
        sessionOf: async (headers: Headers) => unlessImpersonated(await sessions.of(headers)),
        acts: () => Promise.resolve(links),
        sendsMail: project.email.provider === "smtp",
      };
      return await told(
        () => detached(() => answering(headers, () => followLink(means, { ...asked, headers }))),
        (answer) => typeof answer === "string" || !answer.ok,
      );
    },
    async handle(request, connection) {
      const { handle } = await library();
      return await told(
        () => detached(() => twiceForLosers(handle, requestOf(request, connection))),
        // During an outage the library answers that there is no session, that a sign-up failed, or that a sign-out succeeded.
        ({ status }) => status >= 400 || request.method !== "GET",
      );
    },
  } satisfies Partial<Accounts> & { readonly claimUse: unknown };
}

function rulesOf(project: ProjectModel, dependencies: AccountsDependencies) {
  return {
    reader: dependencies.copy ?? dependencies.database,
    multiTenant: project.multiTenant,
    roleOf: roleByAddress(project, dependencies),
  };
}

/** Makes the readers of sessions: of the copy where there is one, and of the database itself. */
function readSessionsOf(
  rules: ReturnType<typeof rulesOf>,
  { settings: { baseUrl, authSecret, authSecretPrevious }, database }: AccountsDependencies,
) {
  const secrets = () =>
    Promise.all(
      [authSecret, authSecretPrevious].flatMap((secret) => secret ? [librarySecret(secret)] : []),
    );
  // A copy of the database may lack a session that began a moment ago.
  const newest = { reader: database, baseUrl, proved: cookieProof(secrets) };
  return {
    sessions: sessionReader({ ...rules, baseUrl, secrets }),
    newestSessions: sessionReader({ ...rules, ...newest, secrets }),
    firstFactorOf: challengeReader(newest),
  };
}

type ReadSession = Awaited<ReturnType<ReturnType<typeof sessionReader>["of"]>>;

/** An impersonator has not signed in to the account. */
function unlessImpersonated(session: ReadSession): ReadSession {
  return session?.principal.impersonatedBy === undefined ? session : null;
}

function signedInAs(
  session: ReadSession,
  { project, dependencies: { database, settings } }: {
    readonly project: ProjectModel;
    readonly dependencies: AccountsDependencies;
  },
): SignedIn | null {
  const own = unlessImpersonated(session);
  if (own === null) return null;
  const { id: sessionId, userId: id, email, name, startedAt: at } = own;
  const host = { project, settings };
  const refusalOf: SignedIn["refusalOf"] = async (asked) =>
    rightsRefusal(await sessionRights(database, sessionId), host, asked);
  return { user: { id, email, name }, at, sessionId, refusalOf };
}

/** Logs keys and grants from before the service recorded how they were made. Runs in the background. */
function reportOlder(
  project: ProjectModel,
  { database, detached, logger, sysadminEmails = [] }: AccountsDependencies,
): void {
  detached(() => olderCredentials(database, { project, sysadminEmails })).then(
    (entry) => entry && logger.log(entry),
    (error: unknown) => {
      const message = "Accounts: older API keys and grants could not be counted";
      logger.log({ level: "warn", message, error });
    },
  );
}

/**
 * Repeats a sign-up that failed because somebody else signed up with the address at the same moment. The library reads first
 * and writes later; the second time it answers as for any taken address.
 */
async function twiceForLosers(
  handle: AccountLibrary["handle"],
  request: Request,
): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/sign-up/email")) return await handle(request);
  const again = request.clone();
  const answer = await handle(request);
  if (answer.status !== 422) return answer;
  const refusal: unknown = await answer.clone().json();
  const hasLost = isJsonObject(refusal) && refusal["code"] === "FAILED_TO_CREATE_USER";
  return hasLost ? await handle(again) : answer;
}

/** Records the use of a key in the background. If it fails, a later use is recorded. */
function noteKeyUse({ database, detached, logger }: AccountsDependencies, use: KeyUse): void {
  detached(() => writeKeyUse(database, use)).catch((error: unknown) => {
    const message = "Accounts: the last use of an API key was not written";
    logger.log({ level: "warn", message, error });
  });
}

async function loadLibrary(
  project: ProjectModel,
  dependencies: AccountsDependencies & Pick<LibraryInput, "watch" | "members" | "isSignedIn">,
): Promise<AccountLibrary> {
  const { openLibrary, versioned } = await import("./library.ts");
  const { authSecret, authSecretPrevious = null } = dependencies.settings;
  const secret = await librarySecret(authSecret);
  const previous = authSecretPrevious && await librarySecret(authSecretPrevious);
  const library = openLibrary({
    sysadminEmails: [],
    hooks: NO_HOOKS,
    ...dependencies,
    email: emailSenderOf(project, dependencies),
    project,
    secret,
    secrets: await Promise.all([secret, ...(previous === null ? [] : [previous])].map(versioned)),
  });
  return previous === null ? library : await acceptingPrevious(library, { secret, previous });
}

/** Encrypts anew, while both secrets are set, what only the previous secret opens. */
function renewEncrypted(
  { database, settings: { authSecret }, detached, logger }: AccountsDependencies,
  authSecretPrevious: Uint8Array,
): void {
  detached(async () => {
    const { renewSecondFactors, versioned } = await import("./library.ts");
    await renewSecondFactors(database, {
      present: await versioned(await librarySecret(authSecret)),
      previous: await versioned(await librarySecret(authSecretPrevious)),
    });
  }).catch((error: unknown) => {
    const message = "Accounts: second factors could not be encrypted under the new AUTH_SECRET";
    logger.log({ level: "error", message, error });
  });
}

/** Logs unknown stored roles once, beside the first request. */
function listStrangeRoles(
  project: ProjectModel,
  { database, detached, logger }: AccountsDependencies,
): void {
  detached(async () => {
    const entry = await strangeRoles(project, database);
    if (entry !== null) logger.log(entry);
  }).catch((error: unknown) => {
    logger.log({ level: "warn", message: "Accounts: stored roles could not be read", error });
  });
}

const NO_HOOKS: AuthHooks = {
  before: () => Promise.resolve(null),
  after: () => Promise.resolve(),
};

interface OutageWatch {
  /** The database that the library uses. */
  readonly database: Database;
  /**
   * Runs a call, and throws an outage that happened meanwhile if `hides` says that it may explain the result. Outages that
   * other requests met at that time count too: the caller is only asked to try again.
   */
  told<T>(run: () => Promise<T>, hides: (result: T) => boolean): Promise<T>;
}

/** Makes the database whose writes are told of where rows let go of members. */
function watchedDatabase(database: Database, members: () => MemberWatch | null): Database {
  return {
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    write: (body, options) => (members()?.watched(database) ?? database).write(body, options),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
  };
}

/**
 * Watches for outages of the accounts' database (definitions 7 "busy or full database"). The library catches errors of its
 * storage and reports a failed sign-up, an invalid key, or a success.
 */
function watchOutages(database: Database): OutageWatch {
  let last: DatabaseUnavailableError | null = null;
  const watched = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) last = error;
      throw error;
    }
  };
  return {
    database: {
      run: (statement) => watched(database.run(statement)),
      runAll: (statements) => watched(database.runAll(statements)),
      write: (body, options) => watched(database.write(body, options)),
      migrate: (statements) => database.migrate(statements),
      close: () => database.close(),
    },
    async told(run, hides) {
      const before = last;
      const since = () => last === before ? null : last;
      let result;
      try {
        result = await run();
      } catch (error) {
        throw since() ?? error;
      }
      const outage = since();
      if (outage !== null && hides(result)) throw outage;
      return result;
    },
  };
}
