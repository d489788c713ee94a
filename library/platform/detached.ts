/** Runs work outside of any request's asynchronous context. */
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The context of this module's own evaluation, which no request has touched. Deno may begin a request in what is left of
 * an earlier one's `AsyncLocalStorage`, and a library that keeps its request there would take one caller for another.
 */
export const detached: <T>(run: () => T) => T = AsyncLocalStorage.snapshot();
