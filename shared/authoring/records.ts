/** Types of `db.records`, which writes records from code as routes do, and of its errors (definitions 6). */
import type { TableName } from "../definition_language/register.ts";
import { RECORD_ERROR } from "../model/mod.ts";
import type { ProjectTables, RowOf, RowOfTable } from "./register.ts";

/** Record of a table, which is given as a value or by its name. */
export type RecordOf<Of> = Of extends string ? RowOfTable<Of> : RowOf<Of>;

type InsertOf<Of> = Of extends { readonly $inferInsert: infer Values } ? Values
  : Of extends keyof ProjectTables ? InsertOf<ProjectTables[Of]>
  : Readonly<Record<string, unknown>>;

/** Values of a table in which days and instants may be a `Date`. */
type WithDates<Values> = {
  readonly [Name in keyof Values]:
    | Values[Name]
    | (string extends NonNullable<Values[Name]> ? Date : never);
};

/** Values of a new record; values that the service generates may be left out. */
export type NewRecordOf<Of> = WithDates<InsertOf<Of>>;

/** Values of some columns. */
export type ChangesOf<Of> = Partial<NewRecordOf<Of>>;

/**
 * Writes records as their routes do, with hooks, history and frames, for the caller of the code, but without access rule and
 * guards. A failed call throws a `RecordError`; it undoes that one call and nothing else.
 */
export interface Records {
  /** Creates a record and returns it unmasked. */
  create<Of extends object | TableName>(table: Of, data: NewRecordOf<Of>): Promise<RecordOf<Of>>;
  /** Updates a record and returns it unmasked. */
  update<Of extends object | TableName>(
    table: Of,
    id: string | number,
    data: ChangesOf<Of>,
  ): Promise<RecordOf<Of>>;
  /** Deletes a record, softly or permanently as its route does. */
  delete<Of extends object | TableName>(table: Of, id: string | number): Promise<void>;
  /** Undoes a soft deletion and returns the record unmasked. */
  restore<Of extends object | TableName>(table: Of, id: string | number): Promise<RecordOf<Of>>;
}

/** Error of `db.records`. If the code does not catch it, the request is answered with its code. */
export class RecordError extends Error {
  override readonly name: string = "RecordError";
  readonly [RECORD_ERROR] = true;
  /** Code of a problem, or of the `ActionError` of a hook. */
  readonly code: string;
  /** HTTP status of the answer. */
  readonly status: number;
  readonly details: unknown;

  constructor(message: string, code: string, status: number, details?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** Recognizes the error by a mark instead of its class: an author's file may have its own copy of the library. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && RECORD_ERROR in value;
  }
}
