/**
 * Preloaded into the API that `dev` starts: ends it when `dev` is gone for any reason. The pipe to its standard input closes
 * when the process at the other end ends.
 */

/** Delay before the watch begins: the API loads only after all preloaded modules have nothing left to do. */
const AFTER_LOADING_MILLISECONDS = 1000;

Deno.unrefTimer(setTimeout(async () => {
  const buffer = new Uint8Array(64);
  while (await Deno.stdin.read(buffer) !== null);
  Deno.exit(0);
}, AFTER_LOADING_MILLISECONDS));
