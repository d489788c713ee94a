/** Numbers and names of jobs and schedules (definitions 6). */

/** Statuses of a job (definitions 6). */
export const JOB_STATUSES = ["queued", "running", "done", "failed", "cancelled"] as const;
export type JobStatus = typeof JOB_STATUSES[number];

/** Most runs of a job (definitions 6). */
export const JOB_ATTEMPTS = 3;
/** Seconds that a run may take: by default, and at most (definitions 6). */
export const JOB_TIMEOUT_SECONDS = 300;
export const JOB_TIMEOUT_MAX_SECONDS = 3600;
/** Most seconds that a job may be delayed (definitions 6). */
export const JOB_DELAY_MAX_SECONDS = 30 * 24 * 60 * 60;
/** Largest JSON of a job's input (definitions 6) and of a step's result. */
export const JOB_INPUT_MAX_BYTES = 64 * 1024;
export const JOB_KEY_MAX_LENGTH = 255;
/** Milliseconds for which a finished job still occupies its key (definitions 6). */
export const JOB_KEY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds for which a run may hold the database's only writer (definitions 6). */
export const JOB_WRITES_MAX_MS = 5000;
/** Days for which finished jobs are kept (definitions 6). */
export const JOB_RETENTION_DAYS = { done: 7, cancelled: 7, failed: 30 } as const;
/** Runs at a time in one process, unless `JOBS_CONCURRENCY` is set. */
export const JOB_SLOTS = 4;

/** Subjects for each of which a schedule can queue one job. */
export const SCHEDULE_SUBJECTS = ["organization"] as const;
