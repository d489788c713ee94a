/**
 * One run of a queued job. Its writes and the mark that it is done are one transaction, which is refused if another run holds
 * the lease by then (definitions 6).
 */
import { JOB_ATTEMPTS, JOB_DELAY_MAX_SECONDS, JOB_INPUT_MAX_BYTES } from "../../contract/mod.ts";
import { JOB_RETENTION_DAYS } from "../../contract/mod.ts";
import { isJsonObject } from "../../lib/json.ts";
import { ANONYMOUS, EMBED_JOB, type JobModel, type ProjectModel } from "../../model/mod.ts";
import type { HandlerHome, Work } from "../authored/work.ts";
import { contextOf } from "../authored/caller_context.ts";
import { openWork } from "../authored/handler_home.ts";
import type { NewId } from "../context.ts";
import type { Auditing } from "../data/changes/auditing.ts";
import type { Watching } from "../data/changes/change_log.ts";
import { watchingOf } from "../data/changes/watched_tables.ts";
import * as stored from "../data/job_runs.ts";
import type { Elsewhere } from "../data/scoped_db/open_scoped_db.ts";
import { isPurged } from "../data/purges.ts";
import type {
  Clock,
  Database,
  FilePorts,
  Logger,
  Randomness,
  Timer,
  Transaction,
  WebhookPorts,
} from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import type { Slots } from "./consumer.ts";
import { backoff } from "./retry_schedules.ts";
import { payloadText } from "../authored/payload_text.ts";
import type { Attempt, OutboxWork } from "./outbox.ts";
import { embedRow } from "./embed_row.ts";
import { type JobAudit, jobAudit } from "./job_audit.ts";
import { type LateTransaction, lateTransaction } from "./late_transaction.ts";

interface JobPorts {
  /** Publishes the changes of its transactions, if realtime is on. */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly timer: Timer;
  readonly webhooks: Pick<WebhookPorts, "embeddings">;
  readonly files?: FilePorts | null;
}

export interface JobMeans {
  readonly project: ProjectModel;
  readonly ports: JobPorts;
  readonly home: HandlerHome;
  readonly newId: NewId;
  /** Databases of other organizations, for jobs across tenants; null: this one has all rows. */
  readonly elsewhere: Elsewhere | null;
  /** Places for concurrent runs in this process, over all of its databases. */
  readonly slots: Slots;
  /** Moves a job of an organization to its own database, with its id. Absent: this one has all rows. */
  readonly passOn?: (row: stored.JobRow) => Promise<void>;
  /** Keeps the history of records; null: there is none. */
  readonly auditing: Auditing | null;
  /** Queues jobs for rows that wait for their vectors; null: there are none. */
  readonly queueVectors: ((isQuiet?: "quiet") => Promise<void>) | null;
}

const SCHEDULE = { ...backoff(JOB_ATTEMPTS), longestWait: JOB_DELAY_MAX_SECONDS * 1000 };

/** The queued jobs, and a run of one of them. */
export function jobWork(means: JobMeans): OutboxWork<stored.JobRow> {
  const { project, slots } = means;
  const all = watchingOf(project);
  const watching = all.watched.size > 0 ? all : null;
  return {
    schedule: SCHEDULE,
    slots: slots.all,
    shared: slots,
    // An organization with many jobs leaves room for others.
    yields: true,
    slotsPerReceiver: project.multiTenant ? Math.ceil(slots.all / 2) : slots.all,
    async select(reader, id) {
      const row = await stored.selectJob(reader, id, null);
      if (row?.status !== "queued" && row?.status !== "running") return null;
      // Failed moves do not count as attempts: the job keeps its own.
      return isOnItsWay(row, means) ? { ...row, attempts: 0, nextAttemptAt: null } : row;
    },
    attempt: (row) =>
      isOnItsWay(row, means)
        ? passOn(row, means)
        : attempt(row, audited(row, { ...means, watching })),
    retentionDays: JOB_RETENTION_DAYS.failed,
    prune: stored.pruneJobs,
    ...(means.queueVectors ? { queueDue: means.queueVectors } : {}),
  };
}

function isOnItsWay({ organizationId }: stored.JobRow, means: JobMeans): boolean {
  return means.passOn !== undefined && organizationId !== null;
}

/** Moves a job. It is retried while the organization's database cannot be reached, because only the directory has the job. */
async function passOn(row: stored.JobRow, means: JobMeans): Promise<Attempt> {
  const left = { also: (transaction: Transaction) => stored.deleteJob(transaction, row.id) };
  try {
    await means.passOn?.(row);
    return { kind: "done", ...left };
  } catch (error) {
    const fields = { job: row.job, id: row.id };
    if (error instanceof Refusal) {
      const message = "A job is dropped: its organization was deleted";
      means.ports.logger.log({ level: "warn", message, fields });
      return { kind: "done", ...left };
    }
    const message = "A job waits: the database of its organization cannot take it";
    means.ports.logger.log({ level: "error", message, error, fields });
    return { kind: "failed", reason: messageOf(error), retryAfter: null };
  }
}

interface RunMeans extends JobMeans {
  readonly watching: Watching | null;
}

/** Wraps the database, so that the run's changes are recorded under whoever queued it. */
function audited(
  { job, userId, organizationId }: stored.JobRow,
  means: RunMeans,
): RunMeans {
  const { ports, auditing } = means;
  if (auditing === null) return means;
  const database = auditing(ports.database, {
    operation: `job:${job}`,
    requestId: null,
    actorUserId: userId,
    impersonatorUserId: null,
    organizationId,
    now: isoNow(ports.clock),
  });
  return { ...means, ports: { ...ports, database } };
}

async function attempt(row: stored.JobRow, means: RunMeans): Promise<Attempt> {
  const { ports: { clock, logger } } = means;
  if (row.attempts >= JOB_ATTEMPTS) {
    const reason = "The process ended during the last attempt";
    return failed(reason, clock, { isLast: true, attempts: JOB_ATTEMPTS });
  }
  const isLast = row.attempts + 1 >= JOB_ATTEMPTS;
  try {
    await (row.job === EMBED_JOB ? embed(row, means) : run(row, means));
    return { kind: "done" };
  } catch (error) {
    // The run's effects are rolled back. The run that holds the job now reports the result.
    if (error instanceof LeaseLostError) {
      const fields = { job: row.job, id: row.id };
      logger.log({ level: "warn", message: "A job's run came too late and is undone", fields });
      return { kind: "done" };
    }
    const fields = { job: row.job, id: row.id, attempts: row.attempts + 1 };
    logger.log({ level: "error", message: "A job failed", error, fields });
    return failed(messageOf(error), clock, { isLast });
  }
}

function failed(
  reason: string,
  clock: Clock,
  { isLast, attempts }: { readonly isLast: boolean; readonly attempts?: number },
): Attempt {
  const columns = {
    error: reason,
    finished_at: isLast ? new Date(clock.now()).toISOString() : null,
    ...(attempts === undefined ? {} : { attempts }),
  };
  return attempts === undefined
    ? { kind: "failed", reason, retryAfter: null, columns }
    : { kind: "dead", reason, columns };
}

/** Most characters of an error in the list of jobs. */
const ERROR_MAX_LENGTH = 1000;

function messageOf(error: unknown): string {
  const text = error instanceof Refusal
    ? `${error.code}: ${error.options.detail ?? error.message}`
    : error instanceof Error
    ? error.message
    : "The job threw something that is no error";
  return [...text.toWellFormed().replaceAll("\0", "\ufffd")].slice(0, ERROR_MAX_LENGTH).join("");
}

/** Runs the service's own job, without the author's code. */
function embed(row: stored.JobRow, { project, ports }: RunMeans): Promise<void> {
  const { database, clock, webhooks: { embeddings } } = ports;
  const held = { id: row.id, fence: row.fence + 1 };
  return embedRow(row, { project, database, embeddings }, async (transaction) => {
    if (!await stored.finishJob(transaction, held, isoNow(clock))) throw new LeaseLostError();
  });
}

/** Runs the job. Throws its error, or `LeaseLostError` when nothing of it may be kept. */
async function run(row: stored.JobRow, means: RunMeans): Promise<void> {
  const { home, project, ports } = means;
  const { clock, database, timer } = ports;
  const code = home.code.jobs?.[row.job];
  const model = project.authored.jobs?.find(({ name }) => name === row.job);
  if (!code || !model) throw new Error(`There is no job "${row.job}" in this version of the API`);
  const { organizationId, userId, teamId } = row;
  // The job's organization may have been deleted meanwhile. No foreign key prevents that.
  const accounts = home.directory ?? database;
  if (project.multiTenant && organizationId !== null && await isPurged(accounts, organizationId)) {
    throw new Error("The organization was deleted");
  }
  const held = { id: row.id, fence: row.fence + 1 };
  const late = openLate(means);
  const audit = jobAudit(row, model, ports);
  const input = await toldOf(audit, database, () => {
    requireNobodys(row, model);
    return code.input.parseAsync(JSON.parse(row.input));
  });
  const work = openJobWork(late.transaction, { row, model, audit }, means);
  const overdue = new AbortController();
  const tooLong = Promise.withResolvers<never>();
  tooLong.promise.catch(() => {});
  const takeBack = timer.after(model.timeout * 1000, () => {
    const error = new Error(`The run took longer than ${model.timeout} s`);
    overdue.abort(error);
    tooLong.reject(error);
  });
  const principal = principalOf({ organizationId, userId, teamId });
  const { activeOrgId, roles } = contextOf({ principal, organizationId });
  const ctx = { userId, organizationId, activeOrgId, teamId, roles, system: true };
  const steps = stepsOf({ row, model, held }, late, means);
  const given = {
    ...{ ...partsOf(work), input, ctx: Object.freeze(ctx) },
    ...{ attempt: row.attempts + 1, signal: overdue.signal, step: steps },
  };
  try {
    const running = (async () => await Reflect.apply(code.run, code, [given]))();
    await Promise.race([running, tooLong.promise, late.expired]);
    await work.close();
    await late.commit(async (transaction) => {
      const isOurs = await stored.finishJob(transaction, held, isoNow(clock));
      if (!isOurs) throw new LeaseLostError();
      await audit?.succeed(transaction);
    });
  } catch (error) {
    await late.rollBack();
    if (!(error instanceof LeaseLostError)) await audit?.fail(database, error);
    throw error;
  } finally {
    takeBack();
    await work.close();
  }
}

/** Records a refusal before the run in the audit, as one during the run. */
async function toldOf<Value>(
  audit: JobAudit | null,
  database: Database,
  judge: () => Promise<Value>,
): Promise<Value> {
  try {
    return await judge();
  } catch (error) {
    await audit?.fail(database, error);
    throw error;
  }
}

/**
 * Refuses a job across tenants that belongs to a tenant. A tenant's row could be queued and retried without the rights that
 * such a job requires.
 */
function requireNobodys(
  { job, organizationId }: stored.JobScope & { readonly job: string },
  { unsafe }: JobModel,
): void {
  if (unsafe?.crossTenant !== true || organizationId === null) return;
  refuse("ACCESS_ROLE_REQUIRED", {
    detail:
      `Job "${job}" reached one organization when it was queued, and all by now: queue it anew`,
  });
}

function openLate({ ports, watching }: RunMeans): LateTransaction {
  return lateTransaction({ ...ports, watching });
}

function principalOf({ organizationId, userId, teamId }: stored.JobScope) {
  return { ...ANONYMOUS, organizationId, userId, teamId };
}

interface OpenedRun {
  readonly row: stored.JobRow;
  readonly model: JobModel;
  readonly audit: JobAudit | null;
}

/** Opens the databases of the job: the tenant of whoever queued it, with every owner's rows. */
function openJobWork(
  transaction: Transaction,
  { row: { organizationId, userId, teamId }, model: { unsafe }, audit }: OpenedRun,
  { home, project, ports, newId, elsewhere }: RunMeans,
): Work {
  return openWork({
    home,
    means: { project, ports },
    transaction,
    reader: ports.database,
    principal: principalOf({ organizationId, userId, teamId }),
    organizationId,
    ...(home.directory ? { place: organizationId === null ? "directory" : "tenant" } : {}),
    lifted: ["owner", "rule"],
    stamps: { now: isoNow(ports.clock), userId },
    newId,
    unsafe: unsafe ?? null,
    elsewhere,
    ...(audit ? { reached: audit.reached } : {}),
  });
}

/** Returns the parts for the author's code. */
function partsOf({ db, unsafeDb, services, jobs, files, env }: Work) {
  return {
    ...{ db, services, jobs, env },
    ...(unsafeDb ? { unsafeDb } : {}),
    ...(files ? { files } : {}),
  };
}

type Step = (name: unknown, work: (given: object) => unknown) => Promise<unknown>;

const STEP_NAME_MAX_LENGTH = 100;

/** Makes `step(name, work)`: effects that commit by themselves, with their result in the job's row. */
function stepsOf(
  { row, model, held }: Omit<OpenedRun, "audit"> & { readonly held: stored.HeldJob },
  late: LateTransaction,
  means: RunMeans,
): Step {
  const parsed: unknown = JSON.parse(row.steps);
  const kept = new Map(Object.entries(isJsonObject(parsed) ? parsed : {}));
  return async (name, work) => {
    if (typeof name !== "string" || name === "" || name.length > STEP_NAME_MAX_LENGTH) {
      throw new TypeError(`A step has a name of 1 to ${STEP_NAME_MAX_LENGTH} characters`);
    }
    if (kept.has(name)) return kept.get(name);
    if (late.isBegun) {
      throw new Error(
        `Step "${name}" begins after a write outside of steps: put that into one, too`,
      );
    }
    const own = openLate(means);
    const audit = jobAudit(row, model, means.ports);
    const opened = openJobWork(own.transaction, { row, model, audit }, means);
    try {
      const working = (async () => await work(partsOf(opened)))();
      const value: unknown = await Promise.race([working, own.expired]);
      const text = payloadText(value, `step "${name}"`, JOB_INPUT_MAX_BYTES);
      await opened.close();
      const result: unknown = JSON.parse(text);
      await own.commit(async (transaction) => {
        const all = JSON.stringify(Object.fromEntries([...kept, [name, result]]));
        if (!await stored.keepSteps(transaction, held, all)) throw new LeaseLostError();
        await audit?.succeed(transaction);
      });
      kept.set(name, result);
      return result;
    } catch (error) {
      await own.rollBack();
      if (!(error instanceof LeaseLostError)) await audit?.fail(means.ports.database, error);
      throw error;
    } finally {
      await opened.close();
    }
  };
}

function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Another run holds the job now, or it is gone. */
class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("The job's lease is over");
  }
}
