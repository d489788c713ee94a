/** `db.records`: the full route for code, and what it throws (definitions 6). */
import type { TableName } from "../definition_language/register.ts";
import { RECORD_ERROR } from "../model/mod.ts";
import type { ProjectTables, RowOf, RowOfTable } from "./register.ts";

/** The record of a table, which is given itself or by its name. */
export type RecordOf<Of> = Of extends string ? RowOfTable<Of> : RowOf<Of>;

type InsertOf<Of> = Of extends { readonly $inferInsert: infer Values } ? Values
  : Of extends keyof ProjectTables ? InsertOf<ProjectTables[Of]>
  : Readonly<Record<string, unknown>>;

/** Days and instants may be a `Date`. */
type WithDates<Values> = {
  readonly [Name in keyof Values]:
    | Values[Name]
    | (string extends NonNullable<Values[Name]> ? Date : never);
};

/** Values of a new record: what the service fills in may be left out. */
export type NewRecordOf<Of> = WithDates<InsertOf<Of>>;

/** Values of some columns. */
export type ChangesOf<Of> = Partial<NewRecordOf<Of>>;

/**
 * Writes records as their routes do, hooks, history and frames included, for the caller of the code: without access rule and
 * guards. Each throws a `RecordError` that has undone that one call, and nothing else.
 */
export interface Records {
  /** Gives the record, unmasked. */
  create<Of extends object | TableName>(table: Of, data: NewRecordOf<Of>): Promise<RecordOf<Of>>;
  /** Gives the record, unmasked. */
  update<Of extends object | TableName>(
    table: Of,
    id: string | number,
    data: ChangesOf<Of>,
  ): Promise<RecordOf<Of>>;
  /** Softly or for good, as its route does. */
  delete<Of extends object | TableName>(table: Of, id: string | number): Promise<void>;
  /** Takes a soft deletion back; gives the record, unmasked. */
  restore<Of extends object | TableName>(table: Of, id: string | number): Promise<RecordOf<Of>>;
}

/** Thrown by `db.records`; uncaught, it is answered as its code. */
export class RecordError extends Error {
  override readonly name: string = "RecordError";
  readonly [RECORD_ERROR] = true;
  /** Of a problem, or of the `ActionError` of a hook. */
  readonly code: string;
  /** Of the answer. */
  readonly status: number;
  readonly details: unknown;

  constructor(message: string, code: string, status: number, details?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** A mark, not the class: an author's file may have its own copy of the library. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && RECORD_ERROR in value;
  }
}
