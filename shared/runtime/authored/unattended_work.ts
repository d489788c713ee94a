/**
 * Work that no caller started: handlers of inbound events, account hooks (contract 6.2, definitions 6). Nobody's scope is
 * theirs, so they have no database until they name one; what they emit may go to any scope, each event in a transaction of
 * its own.
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
  /** Tells of what is written in it, where anybody is told (`realtime/publisher.ts`). */
  readonly database: Database;
  /** The same of one organization; null or absent: the one database has all rows. */
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
  /** Keeps the history of records; null: none is kept. */
  readonly auditing: Auditing | null;
  /** The work's start, as the history of records names it. */
  readonly operation?: string;
}

/** Author of changes of work that no caller started; the operation says what did. */
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
  /** Runs `work` behind the firewall of an explicit scope, in one transaction. */
  scopeTo(scope: unknown, work: ScopedWork): Promise<unknown>;
}

const id = z.string().min(1);
const namedScope = z.strictObject({
  organizationId: id.optional(),
  userId: id.optional(),
  teamId: id.optional(),
}).refine(({ organizationId, userId }) => organizationId !== undefined || userId !== undefined);

/** Events may go to the endpoints of every scope: the work has no caller. */
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

/** No request says whose job it is (definitions 6). */
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
  // Before there is a database of an organization that nobody founded.
  if (home.directory) await requireExistingScope(home.directory, asked);
  return await databaseOf(scope.organizationId, ports).write(async (transaction) => {
    if (!home.directory) await requireExistingScope(transaction, asked);
    return await queue(transaction, scope);
  });
}

const ofOrganization = z.object({ organizationId: id });

/** The rows of an organization stand in its own database, where each has one. */
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
  // Before there is a database of an organization that nobody founded.
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
      // Nobody is asked whose relations would lead to a row.
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
 * The database of code that runs before anybody is known: what belongs to nobody, and no writing (contract 5.6). Opens
 * one in a request that came at this time.
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
