/**
 * Preloaded into the API that `dev` starts: ends it when `dev` is gone, however that happened. The pipe to its standard
 * input closes with the process that holds the other end.
 */

/** The API itself loads only once a preloaded module has nothing left to do: the watch begins after that. */
const AFTER_LOADING_MILLISECONDS = 1000;

Deno.unrefTimer(setTimeout(async () => {
  const buffer = new Uint8Array(64);
  while (await Deno.stdin.read(buffer) !== null);
  Deno.exit(0);
}, AFTER_LOADING_MILLISECONDS));
