/** An API with real accounts, and visitors with a session. */
import { assertEquals } from "@std/assert";
import {
  detached,
  memoryRateLimiter,
  systemClock,
  systemRandomness,
} from "../../library/platform/mod.ts";
import type { AccountsDependencies } from "../../shared/accounts/dependencies.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { createAuthHooks, type Database, type LogEntry } from "../../shared/runtime/mod.ts";
import {
  type Answer,
  type ApiOptions,
  type ApiUnderTest,
  AUTH_SECRET,
  BASE_URL,
  withApi,
} from "./api.ts";
import type { CompiledCode } from "./compiled_actions.ts";
import { passwords } from "./passwords.ts";
import { project } from "./sample_project.ts";

/** The sample project with roles that members may hold. */
export const helpdesk: ProjectModel = {
  ...project,
  auth: { ...project.auth, roles: ["admin", "agent", "member"] },
};

export const ORIGIN = { origin: BASE_URL };

/** Somebody with a session: asks with their cookie. */
export interface Visitor {
  readonly cookie: string;
  ask(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface AccountsApiOptions extends ApiOptions {
  readonly project?: ProjectModel;
  readonly sysadminEmails?: readonly string[];
  /** Where the API is reached; default: the address of every test. */
  readonly baseUrl?: string;
  /** Of a project that was really compiled; what hooks fail with goes to `failed`. */
  readonly code?: CompiledCode;
  readonly failed?: (entry: LogEntry) => void;
  /** Stands between the accounts and their database. */
  readonly accountsRead?: (database: Database) => Database;
  /** What accounts get in another form than by default. */
  readonly given?: Partial<AccountsDependencies>;
}

export function withAccountsApi(
  body: (api: ApiUnderTest) => Promise<void>,
  {
    project: served = helpdesk,
    sysadminEmails = [],
    code,
    failed,
    given,
    baseUrl = BASE_URL,
    accountsRead = (database) => database,
    ...options
  }: AccountsApiOptions = {},
): Promise<void> {
  return withApi(served, body, {
    ...options,
    settings: { baseUrl, ...options.settings },
    ...(code ? { actions: code } : {}),
    accounts: (database, copy) =>
      createAccounts(served, {
        database: accountsRead(database),
        copy,
        settings: { baseUrl, authSecret: AUTH_SECRET, production: false },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        passwords,
        detached,
        sysadminEmails,
        ...(code
          ? { hooks: hooksOf(served, { database, code, failed: failed ?? (() => {}) }) }
          : {}),
        ...given,
      }),
  });
}

function hooksOf(
  project: ProjectModel,
  { database, code, failed }: {
    readonly database: Database;
    readonly code: CompiledCode;
    readonly failed: (entry: LogEntry) => void;
  },
) {
  const logger = { log: failed };
  const ports = { database, clock: systemClock, random: systemRandomness, logger };
  return createAuthHooks(project, ports, code);
}

export async function signedUp(
  api: ApiUnderTest,
  name: string,
  base = "/auth/v1",
): Promise<Visitor> {
  const answer = await api.ask(`${base}/sign-up/email`, {
    body: { name, email: `${name}@example.com`, password: "correct horse battery" },
    headers: ORIGIN,
  });
  assertEquals(answer.status, 200, answer.text);
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
  return {
    cookie,
    ask: (path, body, headers = ORIGIN) =>
      api.ask(path, {
        headers: { cookie, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

/** Somebody who has founded an organization, and is in it. */
export async function founder(
  api: ApiUnderTest,
  name: string,
  slug: string,
  base = "/auth/v1",
): Promise<Visitor> {
  const visitor = await signedUp(api, name, base);
  const founded = await visitor.ask(`${base}/organization/create`, { name: slug, slug });
  assertEquals(founded.status, 200, founded.text);
  return visitor;
}

/** A founder who also is a member of their own making, because rules name `admin` and `member`. */
export async function admin(api: ApiUnderTest, name: string, slug: string): Promise<Visitor> {
  const visitor = await founder(api, name, slug);
  await api.database.write((transaction) =>
    transaction.run({
      sql: "UPDATE auth_member SET role = 'owner,admin' WHERE user_id IN " +
        "(SELECT id FROM auth_user WHERE name = ?)",
      args: [name],
    })
  );
  return visitor;
}
