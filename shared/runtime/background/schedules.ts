/** Queues the jobs of schedules. Each tick is queued once, by whichever instance is first (definitions 6). */
import { z } from "zod";
import type { ProjectModel, ScheduleModel } from "../../model/mod.ts";
import type { AuthoredCode, JobCode } from "../../surface/mod.ts";
import * as stored from "../data/job_runs.ts";
import { organizationPages, selectOrganizations } from "../data/organization_rows.ts";
import type { Clock, Database, Logger, Randomness, Transaction } from "../ports.ts";
import { type CronTicks, cronTicks } from "./cron_ticks.ts";

interface SchedulePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
}

/**
 * Queues due ticks and returns their number. It reads the database only when a tick is due. Throws for an input that the job's
 * schema refuses, so that the API does not start.
 */
export function createSchedules(
  { authored: { schedules = [] } }: ProjectModel,
  { jobs = {} }: Pick<AuthoredCode, "jobs">,
  ports: SchedulePorts,
): () => Promise<number> {
  for (const schedule of schedules) requireInput(schedule, jobs[schedule.job]);
  const known = schedules.map((schedule) => ({
    schedule,
    ticks: cronTicks(schedule.cron, schedule.timeZone),
    /** Milliseconds since the epoch; null: not computed yet. */
    nextAt: null as number | null,
  }));
  return async () => {
    const now = ports.clock.now();
    let taken = 0;
    for (const one of known) {
      if (one.nextAt !== null && now < one.nextAt) continue;
      const tick = one.ticks.last(now);
      if (tick !== null && await takeTick(one.schedule, one.ticks, tick, ports)) taken += 1;
      one.nextAt = one.ticks.next(now) ?? Infinity;
    }
    return taken;
  };
}

/** Checks the input. Without the job's code nothing can be checked, and each run reports it. */
function requireInput({ module, name, job, input }: ScheduleModel, code?: JobCode): void {
  const error = code && refusalOf(code, input);
  if (!error) return;
  const wrong = error.issues.map(({ path, message }) =>
    `${["input", ...path.map(String)].join(".")}: ${message}`
  );
  throw new Error(
    `Cannot start: schedule "${name}" queues job "${job}" with what its schema refuses ` +
      `(${wrong.join("; ")}): correct "input" in ${module}`,
  );
}

/** Returns the refusal; null: the input is accepted, or the check is asynchronous and the run does it. */
function refusalOf({ input: schema }: JobCode, input: unknown): z.ZodError | null {
  try {
    return schema.safeParse(input).error ?? null;
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) return null;
    throw error;
  }
}

/** Queues the newest tick only, and logs older missed ones. A new schedule starts with its next tick. */
async function takeTick(
  schedule: ScheduleModel,
  ticks: CronTicks,
  tick: number,
  { database, clock, random, logger }: SchedulePorts,
): Promise<boolean> {
  const { name } = schedule;
  const last = await stored.selectTick(database, name);
  if (last !== null && last >= tick) return false;
  const isTaken = await database.write(async (transaction) => {
    if (!await stored.takeTick(transaction, name, tick)) return false;
    if (last === null) return false;
    await queueJobs(transaction, schedule, { now: clock.now(), random });
    return true;
  });
  if (!isTaken || last === null) return false;
  const missed = countBetween(ticks, last, tick);
  if (missed > 0) {
    const fields = { schedule: name, missed };
    logger.log({ level: "warn", message: "Ticks of a schedule were missed and skipped", fields });
  }
  return true;
}

const MISSED_COUNTED_MAX = 1000;

/** Counts the ticks after one and before another, at most `MISSED_COUNTED_MAX`. */
function countBetween(ticks: CronTicks, first: number, last: number): number {
  let count = 0;
  for (let at = ticks.next(first); at !== null && at < last; at = ticks.next(at)) {
    count += 1;
    if (count === MISSED_COUNTED_MAX) break;
  }
  return count;
}

async function queueJobs(
  transaction: Transaction,
  { job, input, each }: ScheduleModel,
  { now, random }: { readonly now: number; readonly random: Randomness },
): Promise<void> {
  const at = new Date(now).toISOString();
  const rowFor = (organizationId: string | null): stored.NewJobRow => ({
    id: `job_${random.bytes(16).toHex()}`,
    job,
    organizationId,
    userId: null,
    teamId: null,
    input: JSON.stringify(input),
    key: null,
    runAt: at,
    createdAt: at,
  });
  if (each === null) return await stored.insertJobs(transaction, [rowFor(null)]);
  const next = (after: string, limit: number) => selectOrganizations(transaction, { after, limit });
  for await (const ids of organizationPages(next)) {
    await stored.insertJobs(transaction, ids.map(rowFor));
  }
}
