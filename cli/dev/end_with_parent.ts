/**
 * Preloaded into the API that `dev` starts: ends it when `dev` is gone, however that happened. The pipe to its standard
 * input closes with the process that holds the other end.
 */
async function endWithParent(): Promise<void> {
  const buffer = new Uint8Array(64);
  while (await Deno.stdin.read(buffer) !== null);
  Deno.exit(0);
}

endWithParent();
