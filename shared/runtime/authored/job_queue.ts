/** `jobs.<name>.enqueue(…)` of authored code: inserts a row in the caller's transaction (definitions 6). */
import { z } from "zod";
import * as limits from "../../contract/jobs.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { AuthoredCode, JobCode } from "../../surface/mod.ts";
import { insertJobs, type JobScope, type NewJobRow, selectKeyed } from "../data/job_runs.ts";
import type { Transaction } from "../ports.ts";
import { payloadText } from "./payload_text.ts";
import type { EmissionPorts } from "./emit_event.ts";

export interface JobQueueMeans {
  readonly project: Pick<ProjectModel, "authored">;
  readonly code: Pick<AuthoredCode, "jobs">;
  readonly ports: EmissionPorts;
  /** Runs the work that queues a job, in the transaction that it belongs to. */
  queue(
    work: (transaction: Transaction, scope: JobScope) => Promise<string>,
    asked: AskedScope,
  ): Promise<string>;
}

export interface AskedScope {
  /** Organization in the options; undefined: none. */
  readonly organizationId: string | undefined;
  /** True when the job reaches all tenants and belongs to nobody. */
  readonly isAcross: boolean;
}

type Enqueue = (input: unknown, options?: unknown) => Promise<string>;

export type JobQueues = Readonly<Record<string, { readonly enqueue: Enqueue }>>;

const enqueueOptions = z.strictObject({
  delay: z.union([z.number().min(0).max(limits.JOB_DELAY_MAX_SECONDS), z.date()]).optional(),
  key: z.string().min(1).max(limits.JOB_KEY_MAX_LENGTH).optional(),
  organizationId: z.string().min(1).optional(),
});

/** Makes one queue for each job of the project. */
export function jobQueuesOf({ project, code, ports, queue }: JobQueueMeans): JobQueues {
  const across = new Set(
    project.authored.jobs?.flatMap(({ name, unsafe }) => unsafe?.crossTenant ? [name] : []),
  );
  const queues = Object.entries(code.jobs ?? {}).map(([name, job]) => {
    const enqueue: Enqueue = (input, options = {}) => {
      const queued = rowOf({ name, job }, { input, options }, ports).then(
        ({ organizationId, ...row }) =>
          queue(
            (transaction, scope) => insertOnce(transaction, { ...row, ...scope }),
            { organizationId, isAcross: across.has(name) },
          ),
      );
      // A rejected promise that the author does not await must not end the process.
      queued.catch((error) =>
        ports.logger.log({ level: "warn", message: `Job ${name} was not queued`, error })
      );
      return queued;
    };
    return [name, Object.freeze({ enqueue })] as const;
  });
  return Object.freeze(Object.fromEntries(queues));
}

type AskedJob = Omit<NewJobRow, keyof JobScope> & { readonly organizationId: string | undefined };

/** Makes the row. Throws for an input that the schema refuses or that is too large, and for invalid options. */
async function rowOf(
  { name, job }: { readonly name: string; readonly job: JobCode },
  given: { readonly input: unknown; readonly options: unknown },
  { clock, random }: EmissionPorts,
): Promise<AskedJob> {
  const { data: options } = enqueueOptions.safeParse(given.options);
  const now = clock.now();
  const runAt = options?.delay instanceof Date
    ? options.delay.getTime()
    : now + (options?.delay ?? 0) * 1000;
  if (!options || !(runAt <= now + limits.JOB_DELAY_MAX_SECONDS * 1000)) {
    throw new TypeError(
      `jobs.${name}.enqueue takes { delay?, key? }: seconds or a Date within 30 days, and a text`,
    );
  }
  const parsed = await job.input.safeParseAsync(given.input);
  if (!parsed.success) {
    throw new TypeError(`jobs.${name}.enqueue: ${z.prettifyError(parsed.error)}`);
  }
  return {
    id: `job_${random.bytes(16).toHex()}`,
    job: name,
    // The unparsed input is stored. The run parses it again, and a parsed value may not be JSON.
    input: payloadText(given.input, `job "${name}"`, limits.JOB_INPUT_MAX_BYTES),
    key: options.key ?? null,
    runAt: new Date(Math.max(runAt, now)).toISOString(),
    createdAt: new Date(now).toISOString(),
    organizationId: options.organizationId,
  };
}

async function insertOnce(transaction: Transaction, row: NewJobRow): Promise<string> {
  const { key, job, organizationId, createdAt } = row;
  if (key !== null) {
    const finishedAfter = new Date(Date.parse(createdAt) - limits.JOB_KEY_MS).toISOString();
    const known = await selectKeyed(transaction, { job, key, organizationId, finishedAfter });
    if (known !== null) return known;
  }
  await insertJobs(transaction, [row]);
  return row.id;
}
