/** Error that a handler throws to answer with a code and status of its own (contract 4.4 rule 6, 3.2). */

import { ACTION_ERROR, TRANSITION_LOST } from "../model/mod.ts";

/** Is answered as `{ error, code, details }` with its status. */
export class ActionError extends Error {
  override readonly name: string = "ActionError";
  readonly [ACTION_ERROR] = true;
  readonly code: string;
  readonly statusCode: number;
  readonly details: unknown;

  constructor(message: string, code: string, statusCode = 400, details?: unknown) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
    this.details = details;
  }
}

/** Somebody else changed the record's state first: 409 `ACCESS_TRANSITION_LOST`. */
export class TransitionLostError extends Error {
  override readonly name = "TransitionLostError";
  readonly [TRANSITION_LOST] = true;
  readonly field: string;
  readonly from: string;
  readonly to: string;

  constructor(field: string, from: string, to: string) {
    super(
      `The record left state ${JSON.stringify(from)} of ${
        JSON.stringify(field)
      } before it could become ${JSON.stringify(to)}`,
    );
    this.field = field;
    this.from = from;
    this.to = to;
  }
}
