/**
 * Work without a caller: handlers of inbound events, account hooks (contract 6.2, definitions 6). It has no database until it
 * names a scope. Events may go to any scope, each in a transaction of its own.
 */
import { z } from "zod";
import type { HandlerEnv, ProjectModel } from "../../model/mod.ts";
import { ANONYMOUS, EMIT_WEBHOOK_EVENT, SEND_PUSH } from "../../model/mod.ts";
import type { NewId } from "../context.ts";
import type { Auditing } from "../data/changes/auditing.ts";
import type { JobScope } from "../data/job_runs.ts";
import { requireExistingScope } from "../data/scoped_db/scope.ts";
import type { DrizzleSchema, OpenedScopedDb } from "../data/scoped_db/open_scoped_db.ts";
import { readOnly } from "../data/read_only.ts";
import type {
  Clock,
  Database,
  FilePorts,
  Logger,
  Randomness,
  Reader,
  Transaction,
} from "../ports.ts";
import { emitWithin } from "./emit_event.ts";
import type { HandlerFiles } from "./handler_files.ts";
import type { HandlerHome, Work } from "./work.ts";
import { boundEnv, openWork } from "./handler_home.ts";
import { type AskedScope, type JobQueues, jobQueuesOf } from "./job_queue.ts";
import { pushWithin } from "./push.ts";

export interface UnattendedPorts {
  /** Publishes the changes of its transactions, if realtime is on (`realtime/publisher.ts`). */
  readonly database: Database;
  /** Returns the database of one organization. Null or absent: one database has all rows. */
  readonly tenantDatabase?: ((organizationId: string) => Database) | null;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly files?: FilePorts | null;
}

interface UnattendedMeans {
  readonly project: ProjectModel;
  readonly ports: UnattendedPorts;
  readonly home: HandlerHome;
  readonly newId: NewId;
  /** Keeps the history of records; null: there is none. */
  readonly auditing: Auditing | null;
  /** Name of the work's cause in the history of records. */
  readonly operation?: string;
}

/** Returns the author of changes without a caller. The operation names their cause. */
function authorOf(
  { organizationId, userId }: {
    readonly organizationId: string | null;
    readonly userId: string | null;
  },
  { operation, ports: { clock } }: UnattendedMeans,
) {
  return {
    operation: operation ?? null,
    requestId: null,
    actorUserId: userId,
    impersonatorUserId: null,
    organizationId,
    now: new Date(clock.now()).toISOString(),
  };
}

type ScopedWork = (
  given: Pick<Work, "db" | "services" | "jobs" | "env"> & { readonly files?: HandlerFiles },
) => unknown;

export interface UnattendedWork {
  readonly env: HandlerEnv;
  readonly jobs: JobQueues;
  /** Runs `work` within an explicit scope, in one transaction. */
  scopeTo(scope: unknown, work: ScopedWork): Promise<unknown>;
}

const id = z.string().min(1);
const namedScope = z.strictObject({
  organizationId: id.optional(),
  userId: id.optional(),
  teamId: id.optional(),
}).refine(({ organizationId, userId }) => organizationId !== undefined || userId !== undefined);

/** Scope of events. Work without a caller may send them to every endpoint. */
const EVERYONE = { organizationId: null, userId: null, reachesAll: true };

export function unattendedWork(given: UnattendedMeans): UnattendedWork {
  const { project, ports, home } = given;
  const means = { project, ports, directory: home.directory };
  const alone = (send: typeof emitWithin) => (asked: unknown) => {
    const { data } = ofOrganization.safeParse(asked);
    return databaseOf(data?.organizationId ?? null, ports).write((transaction) =>
      send(transaction, asked, { scope: EVERYONE, means })
    );
  };
  return {
    env: boundEnv(home.env, {
      [EMIT_WEBHOOK_EVENT]: alone(emitWithin),
      [SEND_PUSH]: alone(pushWithin),
    }),
    jobs: jobQueuesOf({
      project,
      code: home.code,
      ports,
      queue: (queue, asked) => queueFor(asked, queue, given),
    }),
    scopeTo: (scope, work) => workIn(scope, work, given),
  };
}

/** Returns the owner of a job, since no request determines it (definitions 6). */
async function queueFor(
  { organizationId: named, isAcross }: AskedScope,
  queue: (transaction: Transaction, scope: JobScope) => Promise<string>,
  { project, ports, home }: UnattendedMeans,
): Promise<string> {
  if (isAcross) {
    throw new TypeError("A job across tenants is queued by a sysadmin's request, or by a schedule");
  }
  if (project.multiTenant && named === undefined) {
    throw new TypeError(
      "enqueue needs { organizationId } here: there is no request to take it from",
    );
  }
  const scope = { organizationId: named ?? null, userId: null, teamId: null };
  const asked = { ...scope, teamOf: null };
  // This must precede opening the database of an organization that does not exist.
  if (home.directory) await requireExistingScope(home.directory, asked);
  return await databaseOf(scope.organizationId, ports).write(async (transaction) => {
    if (!home.directory) await requireExistingScope(transaction, asked);
    return await queue(transaction, scope);
  });
}

const ofOrganization = z.object({ organizationId: id });

/** Returns the organization's own database, if each has one. */
function databaseOf(
  organizationId: string | null,
  { database, tenantDatabase }: UnattendedPorts,
): Database {
  return organizationId !== null && tenantDatabase ? tenantDatabase(organizationId) : database;
}

async function workIn(
  given: unknown,
  work: ScopedWork,
  means: UnattendedMeans,
): Promise<unknown> {
  const { project, ports, home, newId, auditing } = means;
  const { data: scope } = namedScope.safeParse(given);
  if (!scope) throw new TypeError("scopeTo needs an organizationId or a userId, as text");
  const { organizationId = null, userId = null, teamId = null } = scope;
  const asked = { organizationId, userId, teamId, teamOf: organizationId };
  // This must precede opening the database of an organization that does not exist.
  if (home.directory) await requireExistingScope(home.directory, asked);
  const plain = databaseOf(organizationId, ports);
  const database = auditing?.(plain, authorOf(asked, means)) ?? plain;
  return await database.write(async (transaction) => {
    if (!home.directory) await requireExistingScope(transaction, asked);
    const opened = openWork({
      home,
      means: { project, ports },
      transaction,
      reader: plain,
      principal: { ...ANONYMOUS, organizationId, userId, teamId },
      organizationId,
      ...(home.directory ? { place: organizationId === null ? "directory" : "tenant" } : {}),
      // There is no caller for whom a relation could be judged.
      lifted: ["rule"],
      stamps: { now: new Date(ports.clock.now()).toISOString(), userId },
      newId,
    });
    try {
      const { db, services, jobs, files, env } = opened;
      return await work({ db, services, jobs, ...(files ? { files } : {}), env });
    } finally {
      await opened.close();
    }
  }, { unbounded: "write" });
}

/**
 * Opens a database for code that runs before the caller is known: it reads rows without a tenant, and writes nothing (contract
 * 5.6). `now` is the time of the request.
 */
export function readOnlyDbOf(
  home: HandlerHome,
  database: Reader,
  newId: NewId,
): (now: string) => OpenedScopedDb<DrizzleSchema> {
  const refused = "A verifier only reads: writes and transactions are refused";
  const transaction = readOnly(database, refused);
  return (now) =>
    home.openDb({
      transaction,
      principal: ANONYMOUS,
      organizationId: null,
      ...(home.directory ? { place: "directory" } : {}),
      stamps: { now, userId: null },
      newId,
    });
}
