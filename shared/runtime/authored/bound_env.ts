/** The `env` of one call of authored code: variables, and the functions that belong to the call (definitions 6). */
import type { HandlerEnv } from "../../model/handler_env.ts";

/** A copy of it, spread by its author, keeps what is bound. */
export function boundEnv(
  env: HandlerEnv,
  bound: Readonly<Record<symbol, (given: unknown) => Promise<void>>>,
): HandlerEnv {
  return Object.freeze({ ...env, ...bound });
}
