/**
 * Refusals by the author's code (contract 4.4 rule 6, definitions 5 `onIllegal`): a flat body instead of a problem document.
 */
import { ACTION_ERROR, TRANSITION_LOST } from "../../model/mod.ts";
import { jsonResponse } from "../response/record.ts";

export class AuthoredRefusal extends Error {
  override readonly name: string = "AuthoredRefusal";
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly details?: unknown,
  ) {
    super(message);
  }
}

/** Returns the refusal that a thrown value stands for; null: it is an ordinary error. */
export function authoredRefusal(error: unknown): AuthoredRefusal | null {
  if (error instanceof AuthoredRefusal) return error;
  if (!(error instanceof Error) || !(ACTION_ERROR in error)) return null;
  const [code, statusCode, details]: readonly unknown[] = ["code", "statusCode", "details"]
    .map((name) => Reflect.get(error, name));
  if (typeof code !== "string" || typeof statusCode !== "number") return null;
  const isError = Number.isInteger(statusCode) && statusCode >= 400 && statusCode <= 599;
  return isError ? new AuthoredRefusal(error.message, code, statusCode, details) : null;
}

export function isTransitionLost(error: unknown): boolean {
  return error instanceof Error && TRANSITION_LOST in error;
}

/** Makes the response. `details` is JSON already. */
export function authoredResponse(
  { message, code, status }: AuthoredRefusal,
  details: unknown,
): Response {
  return jsonResponse(JSON.stringify({ error: message, code, details }), status);
}
