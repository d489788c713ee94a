/** Several writes in one transaction: each operation's type is its own route's (definitions 7 "changeset"). */
import type { Answer, ApiShape, Member } from "./api.ts";
import type { CallOptions } from "./transport.ts";

/** All or nothing, in order. Where the project has none, there is no call. */
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

/** The action that a changeset calls so, where its URL segment does not say it. */
type Acting<T, N, M> = T extends
  { readonly changeset: { readonly resource: infer R; readonly action: infer K } }
  ? N extends R ? M extends K ? T : never : never
  : never;

/** By its name, or by that in URLs. */
type ResourceOf<A extends ApiShape, N> = N extends keyof A["resources"] ? A["resources"][N]
  : Named<A["resources"][keyof A["resources"]], N>;

type Named<R, N> = R extends { readonly name: N } ? R : never;

/** Unknown members are refused where they stand, although the operation's own type is inferred. */
type Exact<O, U> =
  & { readonly [K in Exclude<keyof O, keyof U>]: never }
  & (O extends { readonly data: infer D }
    ? { readonly data: { readonly [K in Exclude<keyof D, KeyOf<Member<U, "data">>>]: never } }
    : unknown);

/** Of each of several. */
type KeyOf<T> = T extends unknown ? keyof T : never;

/** The operation that is meant. */
type Matching<U, O> = U extends { readonly op: infer Op; readonly resource: infer R }
  ? O extends { readonly op: Op; readonly resource: R }
    ? U extends { readonly action: infer M } ? O extends { readonly action: M } ? U : never : U
  : never
  : never;
