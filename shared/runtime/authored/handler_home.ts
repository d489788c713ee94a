/** Shared parts of authored code in one application: opener of its databases, variables, and the code itself. */
import type { HandlerEnv, ProjectModel, TableModel } from "../../model/mod.ts";
import { EMIT_WEBHOOK_EVENT, SEND_PUSH } from "../../model/mod.ts";
import type { AuthoredCode, MaskSource, ServiceCode } from "../../surface/mod.ts";
import { holdsRole, isFileColumn, maskSourcesOf, NO_CODE } from "../../surface/mod.ts";
import type { Caller } from "../context.ts";
import type { FilePorts, Randomness, Reader, RowQuota } from "../ports.ts";
import {
  type DrizzleSchema,
  type OpenScopedDb,
  scopedDbOf,
  type ScopedDbOptions,
} from "../data/scoped_db/open_scoped_db.ts";
import type { ReadOrigins } from "../data/scoped_db/read_origins.ts";
import { type EmissionMeans, emitWithin } from "./emit_event.ts";
import { type HandlerFiles, handlerFiles } from "./handler_files.ts";
import { type JobQueues, jobQueuesOf } from "./job_queue.ts";
import { refuse } from "../refusal.ts";
import { pushWithin } from "./push.ts";

/** Parts of authored code that all handlers of one application share. */
export interface HandlerHome {
  readonly openDb: OpenScopedDb<DrizzleSchema>;
  readonly env: HandlerEnv;
  /** Of the project, outside of features. */
  readonly code: AuthoredCode;
  /** Masks for what their results may hold. */
  readonly maskSources: readonly MaskSource[];
  /** Tables with files. */
  readonly fileTables: readonly TableModel[];
  /** Has the accounts, where organizations have databases of their own; undefined: every transaction has. */
  readonly directory: Reader | undefined;
}

export interface HandlerHomeOptions {
  /** Drizzle's tables and relations. */
  readonly schema?: DrizzleSchema | undefined;
  readonly env?: HandlerEnv | undefined;
  readonly authored?: AuthoredCode | undefined;
  /** Has the accounts; absent: every transaction has. */
  readonly directory?: Reader | undefined;
  readonly random: Randomness;
  /** Null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null | undefined;
}

export function handlerHomeOf(
  project: ProjectModel,
  { schema = {}, env = {}, authored = NO_CODE, directory, random, rowQuota }: HandlerHomeOptions,
): HandlerHome {
  return {
    openDb: scopedDbOf(project, schema, { directory, random, rowQuota }),
    env: Object.freeze({ ...env }),
    code: authored,
    maskSources: maskSourcesOf(project),
    fileTables: project.tables.filter(({ columns }) => columns.some(isFileColumn)),
    directory,
  };
}

interface WorkOptions extends ScopedDbOptions {
  /** The transaction's database: what is asked of it holds no writer. */
  readonly reader: Reader;
  readonly home: HandlerHome;
  readonly means: Omit<EmissionMeans, "directory"> & {
    readonly ports: { readonly files?: FilePorts | null };
  };
}

export interface Work {
  readonly db: unknown;
  /** Null: the action or job declares no `unsafe`. */
  readonly unsafeDb: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly jobs: JobQueues;
  /** Null: the project has none. */
  readonly files: HandlerFiles | null;
  readonly env: HandlerEnv;
  /** Origins of the values in the rows that it read. */
  readonly origins: ReadOrigins;
  /** Lets what was begun finish, and refuses what comes later. To be called before the commit. */
  close(): Promise<void>;
}

/** Databases, services and `env` of one scope in one transaction, for authored code (contract 2.11, definitions 6). */
export function openWork({ home, means, ...options }: WorkOptions): Work {
  const opened = home.openDb(options);
  const { unsafe, organizationId, principal: { userId, teamId } } = options;
  const reachesAll = unsafe?.crossTenant === true && unsafe.targetScope !== "organization";
  const scope = { organizationId, userId, reachesAll };
  const inTurn = (send: typeof emitWithin, failure: string) => (given: unknown): Promise<void> => {
    const sent = opened.inTurn((transaction) =>
      send(transaction, given, { scope, means: { ...means, directory: home.directory } })
    );
    // One that its author does not wait for must not end the process.
    sent.catch((error) => means.ports.logger.log({ level: "warn", message: failure, error }));
    return sent;
  };
  const env = boundEnv(home.env, {
    [EMIT_WEBHOOK_EVENT]: inTurn(emitWithin, "A webhook event was not emitted"),
    [SEND_PUSH]: inTurn(pushWithin, "A push message was not sent"),
  });
  const jobs = jobQueuesOf({
    project: means.project,
    code: home.code,
    ports: means.ports,
    queue(work, asked) {
      const named = asked.organizationId;
      if (named !== undefined && named !== organizationId) {
        throw new TypeError("A job is queued for the caller's organization: leave it out");
      }
      if (asked.isAcross) requireAcross(options);
      const owner = asked.isAcross
        ? { organizationId: null, userId, teamId: null }
        : { organizationId, userId, teamId };
      return opened.inTurn((transaction) => work(transaction, owner));
    },
  });
  return {
    db: opened.db,
    unsafeDb: opened.unsafeDb,
    jobs,
    files: handlerFiles(home.fileTables, means.ports, opened, options),
    // A service reaches nothing that its caller does not; it answers for every action, so the leave that one of them has to
    // write SQL is not its own.
    services: servicesOf(home.code.services, { env, db: opened.plainDb(), jobs }),
    env,
    origins: opened.origins,
    close: () => opened.close(),
  };
}

/** Refuses with `ACCESS_ROLE_REQUIRED` whoever may not queue a job across tenants. */
function requireAcross({ unsafe, principal, place }: ScopedDbOptions): void {
  if (unsafe?.crossTenant !== true && !holdsRole(principal, "sysadmin")) {
    refuse("ACCESS_ROLE_REQUIRED", { detail: "Only sysadmin queues a job across tenants" });
  }
  if (place === "tenant") {
    throw new Error(
      "A job across tenants stands in the directory: queue it by an action of a table that belongs to no tenant",
    );
  }
}

/**
 * The `env` of one call of authored code: variables, and the functions that belong to the call (definitions 6). A copy
 * of it, spread by its author, keeps what is bound.
 */
export function boundEnv(
  env: HandlerEnv,
  bound: Readonly<Record<symbol, (given: unknown) => Promise<void>>>,
): HandlerEnv {
  return Object.freeze({ ...env, ...bound });
}

/** `services.<name>`: each made when it is first asked for, once per call (definitions 6). */
function servicesOf(
  definitions: Readonly<Record<string, ServiceCode>>,
  means: object,
): Readonly<Record<string, unknown>> {
  const made = new Map<string, unknown>();
  const services: Record<string, unknown> = Object.create(null);
  for (const [name, definition] of Object.entries(definitions)) {
    Object.defineProperty(services, name, {
      enumerable: true,
      get() {
        if (!made.has(name)) made.set(name, Reflect.apply(definition.create, definition, [means]));
        return made.get(name);
      },
    });
  }
  return Object.freeze(services);
}

/** `ctx` of authored code: who the caller is (definitions 7, "smaller answers"). */
export function contextOf({ principal, organizationId }: Caller) {
  const { userId, teamId, roles, userRole, scope = null, delegate } = principal;
  return Object.freeze({
    userId,
    organizationId,
    activeOrgId: organizationId,
    teamId,
    roles: [...roles],
    userRole,
    scope,
    delegate: delegate ? { ...delegate } : null,
    impersonatedBy: principal.impersonatedBy ?? null,
  });
}
