/** The form of a credential's record: what the credential is, and what each event does to it. */
import type { MemberWatch, SqlValue, Statement, Transaction } from "../../runtime/ports.ts";
import type { EventProject } from "./event_project.ts";
import type { AccountEvent, EventSubjects } from "./events.ts";

/** Project and transaction of an event. */
export interface EventScene {
  readonly project: EventProject;
  readonly transaction: Transaction;
  /** Seconds since the epoch by the clock that issues tokens; null: the database's clock counts. */
  readonly seconds: number | null;
  /** Is called before tokens are ended. */
  onTokensEnding(): void;
  /** Rows that name members; null: there are none. */
  readonly members: MemberWatch | null;
  /** Account that causes the event; null: unknown. */
  readonly actor: string | null;
  /** Records an event in its transaction. Absent: nobody records it. */
  readonly record?: RecordEvent | undefined;
}

export type RecordEvent = <Event extends AccountEvent>(
  transaction: Transaction,
  event: Event,
  subject: EventSubjects[Event],
  ended: ReadonlyMap<string, number>,
) => Promise<void>;

/** Changes the rows of one kind of credential. Returns the number that ended. */
export type End<Subject> = (scene: EventScene, subject: Subject) => Promise<number>;

/**
 * Effect of an event on a credential. `stays`: none. `refused`: each use is judged, and refused meanwhile. `itself`: the event
 * removes the rows by itself. A function ends or narrows the credential.
 */
export type Answer<Subject> =
  | "stays"
  | "refused"
  | "itself"
  | { readonly ends: End<Subject> }
  | { readonly narrows: End<Subject> };

export type CredentialKind =
  | "membership"
  | "invitation"
  | "signIn"
  | "session"
  | "bearerToken"
  | "scopeToken"
  | "apiKey"
  | "refreshToken"
  | "oauthGrant"
  | "passkey"
  | "secondFactor"
  | "trustedDevice"
  | "pushRegistration"
  | "openLink"
  | "platformRole"
  | "webhookEndpoint";

export interface Credential {
  /** Plural name for mails and documents. */
  readonly name: string;
  /** Table, and its column with the time of creation; null: the time is not kept. */
  readonly madeAt: string | null;
  /** Callers who can make one. */
  readonly madeBy: string;
  readonly on: { readonly [Event in AccountEvent]: Answer<EventSubjects[Event]> };
}

/** Makes an ending that runs the statements for a subject. There are none if the project lacks the table. */
export function ending<Subject>(
  statementsOf: (subject: Subject, project: EventProject) => readonly Statement[],
): { readonly ends: End<Subject> } {
  return { ends: runningAll(statementsOf) };
}

/** Makes an effect that runs statements after which the credential is worth less, but goes on. */
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
