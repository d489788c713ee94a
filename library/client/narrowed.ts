/** Types of a read's answer, narrowed by its query: `fields`, `include`, `fields[<fk>]` (contract 4.3). */
import type { Member, PageRecord } from "./api.ts";

/** The query, without members that the operation does not know. */
export type Exactly<S, Q> = S & { readonly [K in Exclude<keyof S, keyof Q>]: never };

/** A record with the columns in `fields` and their labels, or with all columns. */
export type NarrowedRecord<T, S> = S extends { readonly fields: infer F extends readonly string[] }
  ? Picked<T, F, F[number] | Label<F[number]>>
  : T;

/** A record as `get` answers it. */
export type NarrowedRead<T, S> = NarrowedRecord<Omit<T, "included">, S> & Including<T, S>;

/** A page as `list` answers it. */
export type NarrowedPage<P, S> =
  & Omit<P, "data" | "included">
  & { readonly data: readonly NarrowedRecord<PageRecord<P>, S>[] }
  & Including<P, S>;

/** `included`, if the query has `include`. It is optional if the query's type does not tell. */
type Including<T, S> = "include" extends keyof S
  ? S extends { readonly include: infer I extends readonly string[] }
    ? { readonly included: Included<NonNullable<Member<T, "included">>, I[number], S> }
  : Pick<T, Extract<keyof T, "included">>
  : unknown;

type Included<T, N extends string, S> = {
  readonly [K in Extract<keyof T, N>]-?: Targets<NonNullable<T[K]>, Member<S, `fields[${K}]`>>;
};

/** Included records by id. */
type Targets<T, F> = [F] extends [never] ? T
  : F extends readonly string[] ? { readonly [id: string]: Picked<Member<T, string>, F, F[number]> }
  : T;

/** The chosen columns. A list whose values are known only at run time makes all of them optional. */
type Picked<T, F extends readonly string[], N extends string> = number extends F["length"]
  ? Partial<Pick<T, Extract<keyof T, N>>>
  : Pick<T, Extract<keyof T, N>>;

/** The label `customer_label` belongs to `customerId` (contract 2.4). */
type Label<N extends string> = N extends `${infer Name}Id` ? `${Name}_label` : never;
