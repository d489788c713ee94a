/** The build service's numbers (definitions 7, `/compile` limits). Sizes are bytes. */

/** Largest body: of the JSON after decompression, and of the bytes received. */
export const COMPILE_BODY_MAX_BYTES = 8 * 1024 * 1024;
export const COMPILE_FILES_MAX = 2_000;
export const COMPILE_FILE_MAX_BYTES = 512 * 1024;
/** Time limit of reading the body, and again of the compile. */
export const COMPILE_TIMEOUT_MS = 30_000;
/** Time limit of the running compiles and their answers after the process was asked to end. */
export const ENDING_MAX_MS = COMPILE_TIMEOUT_MS + 15_000;
/** Longest wait for a slot. */
export const QUEUE_WAIT_MAX_MS = 60_000;
export const RETRY_AFTER_SECONDS = 5;
/** Silence on a stream after which a comment keeps it alive. */
export const KEEP_ALIVE_MS = 15_000;
/** Time for which a compile may occupy a shared thread. */
export const SLICE_MS = 15;
export const SLICE_STEPS_MAX = 100;
/** Number of files after which stream v2 yields to others (contract 8). */
export const FILES_PER_TURN = 10;
/** Size below which an answer is not compressed. */
export const GZIP_MIN_BYTES = 1024;
