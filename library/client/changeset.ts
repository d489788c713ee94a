/** Several writes in one transaction. The type of each operation is that of its own route (definitions 7 "changeset"). */
import type { Answer, ApiShape, Member } from "./api.ts";
import type { CallOptions } from "./transport.ts";

/** Runs operations in order, all or none. It does not exist in projects without changesets. */
export type Changeset<A extends ApiShape> = [A["changeset"]] extends [never] ? never
  : <const O extends readonly A["changeset"][]>(
    operations: { readonly [K in keyof O]: O[K] & Exact<O[K], Matching<A["changeset"], O[K]>> },
    options?: Omit<CallOptions, "ifMatch">,
  ) => Promise<{ readonly results: { readonly [K in keyof O]: Result<A, O[K]> } }>;

/** Answer of the operation's own route. */
type Result<A extends ApiShape, O> = O extends
  { readonly op: "action"; readonly resource: infer N; readonly action: infer M extends string }
  ? M extends keyof Actions<A, N> ? Answer<Actions<A, N>, M>
  : Member<Acting<Values<Actions<A, N>> | Values<A["actions"]>, N, M>, "answer">
  : O extends { readonly op: infer Op extends string; readonly resource: infer N }
    ? Answer<ResourceOf<A, N>, Op>
  : never;

type Actions<A extends ApiShape, N> = Member<ResourceOf<A, N>, "actions">;

type Values<T> = T[keyof T];

/** The action that a changeset calls under this name, if its URL segment differs. */
type Acting<T, N, M> = T extends
  { readonly changeset: { readonly resource: infer R; readonly action: infer K } }
  ? N extends R ? M extends K ? T : never : never
  : never;

/** The resource under its name, or its name in URLs. */
type ResourceOf<A extends ApiShape, N> = N extends keyof A["resources"] ? A["resources"][N]
  : Named<A["resources"][keyof A["resources"]], N>;

type Named<R, N> = R extends { readonly name: N } ? R : never;

/** Refuses unknown members, although the operation's own type is inferred. */
type Exact<O, U> =
  & { readonly [K in Exclude<keyof O, keyof U>]: never }
  & (O extends { readonly data: infer D }
    ? { readonly data: { readonly [K in Exclude<keyof D, KeyOf<Member<U, "data">>>]: never } }
    : unknown);

/** Keys of each member of a union. */
type KeyOf<T> = T extends unknown ? keyof T : never;

/** The operation's type within the union. */
type Matching<U, O> = U extends { readonly op: infer Op; readonly resource: infer R }
  ? O extends { readonly op: Op; readonly resource: R }
    ? U extends { readonly action: infer M } ? O extends { readonly action: M } ? U : never : U
  : never
  : never;
