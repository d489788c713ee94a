/** Runs work outside of any request's asynchronous context. */
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Restores the context in which this module was evaluated. Deno may start a request in the remains of an earlier one's
 * `AsyncLocalStorage`, and a library that keeps its request there would confuse two callers.
 */
export const detached: <T>(run: () => T) => T = AsyncLocalStorage.snapshot();
