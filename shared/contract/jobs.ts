/** Numbers and names of jobs and schedules (definitions 6). */

/** Statuses of a job (definitions 6). */
export const JOB_STATUSES = ["queued", "running", "done", "failed", "cancelled"] as const;
export type JobStatus = typeof JOB_STATUSES[number];

/** Runs of a job in all (definitions 6). */
export const JOB_ATTEMPTS = 3;
/** Seconds of a run, unless its definition says otherwise; and at most (definitions 6). */
export const JOB_TIMEOUT_SECONDS = 300;
export const JOB_TIMEOUT_MAX_SECONDS = 3600;
/** Seconds that a job may be put off (definitions 6). */
export const JOB_DELAY_MAX_SECONDS = 30 * 24 * 60 * 60;
/** JSON of a job's input (definitions 6), and of what a step gives. */
export const JOB_INPUT_MAX_BYTES = 64 * 1024;
export const JOB_KEY_MAX_LENGTH = 255;
/** Milliseconds for which a finished job still stands for its key (definitions 6). */
export const JOB_KEY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds that a run may hold the database's only writer (definitions 6). */
export const JOB_WRITES_MAX_MS = 5000;
/** Days for which finished jobs are kept (definitions 6). */
export const JOB_RETENTION_DAYS = { done: 7, cancelled: 7, failed: 30 } as const;
/** Runs under way at a time in one process, unless `JOBS_CONCURRENCY` says otherwise. */
export const JOB_SLOTS = 4;

/** Kinds of things of which a schedule may queue one job each. */
export const SCHEDULE_SUBJECTS = ["organization"] as const;
