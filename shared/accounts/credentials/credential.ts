/** The form of a credential's record: what it is, and what becomes of it at each event. */
import type { SqlValue, Statement, Transaction } from "../../runtime/ports.ts";
import type { EventProject } from "./event_project.ts";
import type { AccountEvent, EventSubjects } from "./events.ts";

/** Project and transaction of an event. */
export interface EventScene {
  readonly project: EventProject;
  readonly transaction: Transaction;
  /** Seconds since the epoch, of the clock that tokens are issued by; null: of the database. */
  readonly seconds: number | null;
  /** Is told before tokens are ended. */
  onTokensEnding(): void;
  /** Hears of an event, in its transaction; absent: nobody records it. */
  readonly record?: RecordEvent | undefined;
}

export type RecordEvent = <Event extends AccountEvent>(
  transaction: Transaction,
  event: Event,
  subject: EventSubjects[Event],
  ended: ReadonlyMap<string, number>,
) => Promise<void>;

/** Changes the rows of one kind; the number of those that ended. */
export type End<Subject> = (scene: EventScene, subject: Subject) => Promise<number>;

/**
 * What becomes of a credential at an event: it goes on (`stays`); it is judged anew at each use and refused meanwhile
 * (`refused`); the event is its own end (`itself`); it ends; or it goes on with less.
 */
export type Answer<Subject> =
  | "stays"
  | "refused"
  | "itself"
  | { readonly ends: End<Subject> }
  | { readonly narrows: End<Subject> };

export interface Credential {
  /** What several of them are called, in mails and documents. */
  readonly name: string;
  /** Table, and the column that says when one was made; null: the moment is not kept. */
  readonly madeAt: string | null;
  /** Who can make one. */
  readonly madeBy: string;
  readonly on: { readonly [Event in AccountEvent]: Answer<EventSubjects[Event]> };
}

/** An ending that runs the statements which a subject asks for, none where the project lacks their table. */
export function ending<Subject>(
  statementsOf: (subject: Subject, project: EventProject) => readonly Statement[],
): { readonly ends: End<Subject> } {
  return { ends: runningAll(statementsOf) };
}

/** The same for what goes on with less. */
export function narrowing<Subject>(
  statementsOf: (subject: Subject, project: EventProject) => readonly Statement[],
): { readonly narrows: End<Subject> } {
  return { narrows: runningAll(statementsOf) };
}

function runningAll<Subject>(
  statementsOf: (subject: Subject, project: EventProject) => readonly Statement[],
): End<Subject> {
  return async ({ transaction, project }, subject) => {
    const statements = statementsOf(subject, project);
    if (statements.length === 0) return 0;
    const results = await transaction.runAll(statements);
    return results.reduce((sum, { changes }) => sum + changes, 0);
  };
}

export function statement(sql: string, ...args: readonly SqlValue[]): Statement {
  return { sql, args };
}
