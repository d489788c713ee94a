/**
 * Recognizes the operation that registers a push subscription: it asks a resolver about the destination before it writes
 * (contract 8.2).
 */
import { PUSH_SUBSCRIPTIONS } from "../model/push.ts";
import type { Operation } from "./operations.ts";

export function registersPush({ kind, resource }: Pick<Operation, "kind" | "resource">): boolean {
  return kind === "create" && resource.builtIn === PUSH_SUBSCRIPTIONS;
}
