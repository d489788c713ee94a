/** The parts of authored code that one application shares: its databases, variables, and the code itself. */
import type { HandlerEnv, ProjectModel } from "../../model/mod.ts";
import { EMIT_WEBHOOK_EVENT, SEND_PUSH } from "../../model/mod.ts";
import type { AuthoredCode, ServiceCode } from "../../surface/mod.ts";
import { holdsRole, isFileColumn, maskSourcesOf, NO_CODE } from "../../surface/mod.ts";
import { dataLayerOf } from "../data/data_layer.ts";
import type { Clock, Randomness, Reader, RowQuota } from "../ports.ts";
import {
  type DrizzleSchema,
  scopedDbOf,
  type ScopedDbOptions,
} from "../data/scoped_db/open_scoped_db.ts";
import { emitWithin } from "./emit_event.ts";
import { handlerFiles } from "./handler_files.ts";
import { handlerRecords } from "./handler_records.ts";
import { HookTime } from "./hook_time.ts";
import { jobQueuesOf } from "./job_queue.ts";
import { tableHooksOf } from "./record_hooks.ts";
import type { HandlerHome, Work, WorkOptions } from "./work.ts";
import { refuse } from "../refusal.ts";
import { pushWithin } from "./push.ts";

export interface HandlerHomeOptions {
  /** Drizzle's tables and relations. */
  readonly schema?: DrizzleSchema | undefined;
  readonly env?: HandlerEnv | undefined;
  readonly authored?: AuthoredCode | undefined;
  /** Database with the accounts. Absent: every transaction has them. */
  readonly directory?: Reader | undefined;
  readonly clock: Clock;
  readonly random: Randomness;
  /** Null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null | undefined;
}

export function handlerHomeOf(
  project: ProjectModel,
  { schema = {}, env = {}, authored = NO_CODE, directory, ...ports }: HandlerHomeOptions,
): HandlerHome {
  return {
    openDb: scopedDbOf(project, schema, { directory, ...ports }),
    env: Object.freeze({ ...env }),
    code: authored,
    maskSources: maskSourcesOf(project),
    fileTables: project.tables.filter(({ columns }) => columns.some(isFileColumn)),
    records: {
      data: dataLayerOf(project, ports),
      tables: new Map(project.tables.map((table) => [table.name, table])),
      resources: new Map(project.resources.map((resource) => [resource.table, resource])),
    },
    directory,
  };
}

/** Opens databases, services and `env` of one scope in one transaction, for authored code (contract 2.11, definitions 6). */
export function openWork({ home, means, ...options }: WorkOptions): Work {
  const opened = home.openDb({ ...options, records: recordsOf({ home, means, ...options }) });
  const { unsafe, organizationId, principal: { userId, teamId } } = options;
  const reachesAll = unsafe?.crossTenant === true && unsafe.targetScope !== "organization";
  const scope = { organizationId, userId, reachesAll };
  const inTurn = (send: typeof emitWithin, failure: string) => (given: unknown): Promise<void> => {
    const sent = opened.inTurn((transaction) =>
      send(transaction, given, { scope, means: { ...means, directory: home.directory } })
    );
    // A rejected promise that the author does not await must not end the process.
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
    // A service reaches what its caller reaches. It serves every action, so one action's permission for raw SQL does not apply
    // to it.
    services: servicesOf(home.code.services, { env, db: opened.plainDb(), jobs }),
    env,
    origins: opened.origins,
    close: () => opened.close(),
  };
}

/** `db.records` of one scope, in the handler's transaction. */
function recordsOf(work: WorkOptions): ScopedDbOptions["records"] {
  const { home, means, transaction, told = transaction, stamps, place = null, depth = 0 } = work;
  const { principal, organizationId, lifted } = work;
  const caller = { principal, organizationId, ...(lifted ? { lifted } : {}) };
  const time = work.time ?? new HookTime(means.ports);
  return (inTurn) =>
    handlerRecords({
      ...home.records,
      caller,
      stamps,
      place,
      logger: means.ports.logger,
      inTurn: (perform) => inTurn(() => perform(told)),
      scopeOf: (table, part) => ({
        ...home.records,
        table,
        resource: home.records.resources.get(table.name) ?? null,
        caller,
        newId: work.newId,
        transaction: part,
        directory: home.directory,
        now: stamps.now,
        hooks: tableHooksOf(table, { ...work, open: openWork, caller, time, depth }),
      }),
    });
}

/** Refuses callers who may not queue a job across tenants, with `ACCESS_ROLE_REQUIRED`. */
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
 * Makes the `env` of one call: variables, and the functions bound to the call (definitions 6). A spread copy keeps the
 * bindings.
 */
export function boundEnv(
  env: HandlerEnv,
  bound: Readonly<Record<symbol, (given: unknown) => Promise<void>>>,
): HandlerEnv {
  return Object.freeze({ ...env, ...bound });
}

/** Makes `services.<name>`. Each is made at its first use, once per call (definitions 6). */
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
