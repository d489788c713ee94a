/** Ports for programs that must be told theirs before they start. */

/**
 * Below those that the system hands out by itself (Linux: from 32768): no listener at port 0 and no connection of another test takes
 * one in the time that a program needs to start. Above 10080, which `fetch` refuses by its standard: a server there seems never to start.
 */
const FIRST = 10_100;
const COUNT = 22_000;
/** `dev` has its playground and its page beside its API. */
const APART = 8;
/** Test processes that run at the same time have other ids: each begins at a place of its own. */
const OF_A_PROCESS = 16 * APART;

let next = (Deno.pid * OF_A_PROCESS) % COUNT;

/** A port that nobody listens at, nor at the seven after it, and that this process gives only once. */
export function freePort(): number {
  for (let tries = 0; tries < COUNT / APART; tries += 1) {
    const port = FIRST + next;
    next = (next + APART) % COUNT;
    if (Array.from({ length: APART }, (_, at) => port + at).every(isFree)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT} is free`);
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "0.0.0.0", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
