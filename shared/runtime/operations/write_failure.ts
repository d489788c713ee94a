/** Runs writes whose refusal by the database ends the request (contract 7.2, layer `database`). */
import type { Call } from "./call.ts";
import { ConstraintError, type Transaction, type WriteOptions } from "../ports.ts";
import { authoredRefusal } from "../authored/authored_refusal.ts";
import { constraintRefusal, type WriteFailure } from "../records/constraint_refusal.ts";
import { Refusal } from "../refusal.ts";

/** Runs a write in its own transaction; a refusal by the database ends the request. */
export function writing<T>(
  call: Call,
  failure: WriteFailure,
  body: (transaction: Transaction) => Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  return refusingFailures(call, failure, () => call.request.database.write(body, options));
}

/** Runs writes, each in its own transaction; a refusal by the database ends the request. */
export async function refusingFailures<T>(
  call: Call,
  failure: WriteFailure,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Refusal || authoredRefusal(error)) throw error;
    if (error instanceof ConstraintError) throw failureOf(error, call, failure);
    throw new Refusal(failure, { cause: error });
  }
}

/** Returns the refusal for a constraint that a write of the call violated. */
export function failureOf(
  error: ConstraintError,
  { request: { principal }, plan: { resource, table } }: Call,
  failure: WriteFailure,
): Refusal {
  return constraintRefusal(error, { principal, resource, table }, failure);
}
