/** The form of a generated `Api` type: the client's methods and their types follow from it. */

export interface ApiShape {
  readonly contract: "v1" | "v2";
  /** Everything that the API refuses with. */
  readonly code: string;
  /** Account routes by the names of the client's methods; one that is not served is `never`. */
  readonly auth: object;
  /** By name, and by its older form in URLs; an operation that does not exist is `never`. */
  readonly resources: object;
  /** Standalone actions by `METHOD /path`. */
  readonly actions: object;
  /** An operation of a changeset; `never` where the project has none. */
  readonly changeset: unknown;
  /** Frames that a subscriber hears, by the name of the resource or signal. */
  readonly frames: object;
}

/** `T[K]`; `never` where there is none. */
export type Member<T, K extends PropertyKey> = K extends keyof T ? T[K] : never;

export type Names<T> = string & keyof T;

/** Request and response types of a resource's operations. */
export type Query<R, K extends string> = Member<Member<R, K>, "query">;
export type Body<R, K extends string> = Member<Member<R, K>, "body">;
export type Answer<R, K extends string> = Member<Member<R, K>, "answer">;
export type Id<R> = Member<R, "id">;

/** The records of a page. */
export type PageRecord<Page> = Member<Member<Page, "data">, number>;

/** Last arguments of a delete: with the input of the action that it runs, where it runs one. */
export type DeleteArguments<R, Options> = [Body<R, "delete">] extends [never] ? [options?: Options]
  : Partial<Body<R, "delete">> extends Body<R, "delete">
    ? [options?: Options & { readonly input?: Body<R, "delete"> }]
  : [options: Options & { readonly input: Body<R, "delete"> }];

/** Arguments of an action's call. A method other than POST must be in the call: types are gone at run time. */
export type ActionArguments<A, Options> = Member<A, "method"> extends "POST"
  ? [body: Member<A, "body">, options?: Options]
  : [body: Member<A, "body">, options: Options & { readonly method: Member<A, "method"> }];
