/**
 * Work that no caller started: handlers of inbound events, account hooks (contract 6.2, definitions 6). Nobody's scope is
 * theirs, so they have no database until they name one; what they emit may go to any scope, each event in a transaction of
 * its own.
 */
import { z } from "zod";
import { EMIT_WEBHOOK_EVENT, type HandlerEnv, SEND_PUSH } from "../../model/authored.ts";
import { ANONYMOUS } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { NewId } from "../context.ts";
import type { JobScope } from "../data/job_runs.ts";
import { requireExistingScope } from "../data/scoped_db/scope.ts";
import type { DrizzleSchema, OpenedScopedDb } from "../data/scoped_db/open_scoped_db.ts";
import type { Clock, Database, Logger, Randomness, Reader, Transaction } from "../ports.ts";
import { emitWithin } from "./emit_event.ts";
import { boundEnv, type HandlerHome, openWork, type Work } from "./handler_home.ts";
import { type JobQueues, jobQueuesOf } from "./job_queue.ts";
import { pushWithin } from "./push.ts";

export interface UnattendedPorts {
  /** Tells of what is written in it, where anybody is told (`realtime/publisher.ts`). */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
}

interface UnattendedMeans {
  readonly project: ProjectModel;
  readonly ports: UnattendedPorts;
  readonly home: HandlerHome;
  readonly newId: NewId;
}

type ScopedWork = (given: Pick<Work, "db" | "services" | "jobs" | "env">) => unknown;

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
  const alone = (send: typeof emitWithin) => (asked: unknown) =>
    ports.database.write((transaction) =>
      send(transaction, asked, { scope: EVERYONE, means: { project, ports } })
    );
  return {
    env: boundEnv(home.env, {
      [EMIT_WEBHOOK_EVENT]: alone(emitWithin),
      [SEND_PUSH]: alone(pushWithin),
    }),
    jobs: jobQueuesOf({
      code: home.code,
      ports,
      queue: (queue, named) => queueFor(named, queue, given),
    }),
    scopeTo: (scope, work) => workIn(scope, work, given),
  };
}

/** No request says whose job it is (extension answers, J15). */
async function queueFor(
  named: string | undefined,
  queue: (transaction: Transaction, scope: JobScope) => Promise<string>,
  { project, ports }: UnattendedMeans,
): Promise<string> {
  if (project.multiTenant && named === undefined) {
    throw new TypeError(
      "enqueue needs { organizationId } here: there is no request to take it from",
    );
  }
  const scope = { organizationId: named ?? null, userId: null, teamId: null };
  return await ports.database.write(async (transaction) => {
    await requireExistingScope(transaction, { ...scope, teamOf: null });
    return await queue(transaction, scope);
  });
}

async function workIn(
  given: unknown,
  work: ScopedWork,
  { project, ports, home, newId }: UnattendedMeans,
): Promise<unknown> {
  const { data: scope } = namedScope.safeParse(given);
  if (!scope) throw new TypeError("scopeTo needs an organizationId or a userId, as text");
  const { organizationId = null, userId = null, teamId = null } = scope;
  return await ports.database.write(async (transaction) => {
    await requireExistingScope(transaction, {
      organizationId,
      userId,
      teamId,
      teamOf: organizationId,
    });
    const opened = openWork({
      home,
      means: { project, ports },
      transaction,
      principal: { ...ANONYMOUS, organizationId, userId, teamId },
      organizationId,
      stamps: { now: new Date(ports.clock.now()).toISOString(), userId },
      newId,
    });
    try {
      const { db, services, jobs, env } = opened;
      return await work({ db, services, jobs, env });
    } finally {
      await opened.close();
    }
  });
}

interface ReadOnlyMeans {
  readonly home: HandlerHome;
  readonly database: Reader;
  readonly newId: NewId;
}

/**
 * The database of code that runs before anybody is known: what belongs to nobody, and no writing (contract 5.6). Opens
 * one in a request that came at this time.
 */
export function readOnlyDbOf(
  { home, database, newId }: ReadOnlyMeans,
): (now: string) => OpenedScopedDb<DrizzleSchema> {
  // Outside of a transaction a host may lose what is written, and a nested one has nothing to nest in.
  const transaction: Transaction = {
    writable: true,
    run: (statement) => database.run(requireQuery(statement)),
    runAll: (statements) => database.runAll(statements.map(requireQuery)),
  };
  return (now) =>
    home.openDb({
      transaction,
      principal: ANONYMOUS,
      organizationId: null,
      stamps: { now, userId: null },
      newId,
    });
}

/** True for what only reads; a word of writing in a `WITH` counts as writing. */
export function isQuery(sql: string): boolean {
  return /^\s*select\b/i.test(sql) ||
    (/^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql));
}

function requireQuery<Asked extends { readonly sql: string }>(statement: Asked): Asked {
  if (!isQuery(statement.sql)) {
    throw new Error("A verifier only reads: writes and transactions are refused");
  }
  return statement;
}
