/** The build service's numbers (definitions 7, `/compile` limits). Sizes are bytes. */

/** Of the JSON after decompression, and of what is on the wire. */
export const COMPILE_BODY_MAX_BYTES = 8 * 1024 * 1024;
export const COMPILE_FILES_MAX = 2_000;
export const COMPILE_FILE_MAX_BYTES = 512 * 1024;
/** For reading the body, and again for the compile. */
export const COMPILE_TIMEOUT_MS = 30_000;
/** For the compiles that run when the process is asked to end, and for their answers. */
export const ENDING_MAX_MS = COMPILE_TIMEOUT_MS + 15_000;
/** Time that a compile waits for its turn. */
export const QUEUE_WAIT_MAX_MS = 60_000;
export const RETRY_AFTER_SECONDS = 5;
/** Silence on a stream after which a comment says that it lives. */
export const KEEP_ALIVE_MS = 15_000;
/** Time that a compile keeps a shared thread before others run. */
export const SLICE_MS = 15;
export const SLICE_STEPS_MAX = 100;
/** Stream v2 lets others run after this many files (contract 8). */
export const FILES_PER_TURN = 10;
/** Smaller answers are not worth compressing. */
export const GZIP_MIN_BYTES = 1024;
