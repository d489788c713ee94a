/** The form of a generated `Api` type, from which the client's methods and their types follow. */

export interface ApiShape {
  readonly contract: "v1" | "v2";
  /** All codes of the API's refusals. */
  readonly code: string;
  /** Account routes by the client's method names. A route that is not served is `never`. */
  readonly auth: object;
  /** Resources by name, and by their older names in URLs. An operation that does not exist is `never`. */
  readonly resources: object;
  /** Standalone actions by `METHOD /path`. */
  readonly actions: object;
  /** An operation of a changeset; `never` if the project has none. */
  readonly changeset: unknown;
  /** Frames of subscriptions, by the name of the resource or signal. */
  readonly frames: object;
}

/** `T[K]`, or `never` if it does not exist. */
export type Member<T, K extends PropertyKey> = K extends keyof T ? T[K] : never;

export type Names<T> = string & keyof T;

/** Request and response types of a resource's operations. */
export type Query<R, K extends string> = Member<Member<R, K>, "query">;
export type Body<R, K extends string> = Member<Member<R, K>, "body">;
export type Answer<R, K extends string> = Member<Member<R, K>, "answer">;
export type Id<R> = Member<R, "id">;

/** The records of a page. */
export type PageRecord<Page> = Member<Member<Page, "data">, number>;

/** Last arguments of a delete. They include the input if an action runs in its place. */
export type DeleteArguments<R, Options> = [Body<R, "delete">] extends [never] ? [options?: Options]
  : Partial<Body<R, "delete">> extends Body<R, "delete">
    ? [options?: Options & { readonly input?: Body<R, "delete"> }]
  : [options: Options & { readonly input: Body<R, "delete"> }];

/** Last arguments of a standalone action's call: with the parameters of its path, where it has any. */
export type RunArguments<A, Options> = [Member<A, "parameters">] extends [never]
  ? [options?: Options]
  : [options: Options & { readonly parameters: Member<A, "parameters"> }];

/** Arguments of a call of an action. A method other than POST must be passed, because types do not exist at run time. */
export type ActionArguments<A, Options> = Member<A, "method"> extends "POST"
  ? [body: Member<A, "body">, options?: Options]
  : [body: Member<A, "body">, options: Options & { readonly method: Member<A, "method"> }];
