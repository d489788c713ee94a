/** What a generated `Api` type says: the client's methods and their types follow from it. */

export interface ApiShape {
  readonly contract: "v1" | "v2";
  /** Everything that the API refuses with. */
  readonly code: string;
  /** By URL segment; an operation that does not exist is `never`. */
  readonly resources: object;
  /** Standalone actions by `METHOD /path`. */
  readonly actions: object;
}

/** `T[K]`; `never` where there is none. */
export type Member<T, K extends PropertyKey> = K extends keyof T ? T[K] : never;

export type Names<T> = string & keyof T;

/** What an operation of a resource takes and answers. */
export type Query<R, K extends string> = Member<Member<R, K>, "query">;
export type Body<R, K extends string> = Member<Member<R, K>, "body">;
export type Answer<R, K extends string> = Member<Member<R, K>, "answer">;
export type Id<R> = Member<R, "id">;

/** The records of a page. */
export type PageRecord<Page> = Member<Member<Page, "data">, number>;

/** Where an action's method is not POST, the call must say it: types leave nothing behind that could. */
export type ActionArguments<A, Options> = Member<A, "method"> extends "POST"
  ? [body: Member<A, "body">, options?: Options]
  : [body: Member<A, "body">, options: Options & { readonly method: Member<A, "method"> }];
