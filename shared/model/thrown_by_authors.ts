/**
 * Marks that distinguish errors thrown by authors from all others (contract 3.2, 4.4 rule 6). Marks, not classes: an
 * author's file has its own copy of the library wherever it is bundled apart, and a minified one has lost its classes'
 * names.
 */
export const ACTION_ERROR: unique symbol = Symbol.for("quickback.ActionError");
export const TRANSITION_LOST: unique symbol = Symbol.for("quickback.TransitionLostError");
