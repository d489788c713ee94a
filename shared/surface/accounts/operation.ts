/** Defines one route of the accounts: its request, its response, and its callers. */
import { z } from "zod";
import type { AccountMail } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import type { Who } from "../who.ts";
import { ACCOUNTS_TAG, type Route } from "../route.ts";
import { type QueryRoute, validatedQuery } from "../route_query.ts";
import type { RouteRole } from "./route_role.ts";
import { MEMBER } from "./members.ts";
import { LINK } from "./answers.ts";

/** A proof of identity that a route accepts. */
interface Challenge {
  readonly by:
    | "password"
    | "mailedCode"
    | "mailedLink"
    | "totp"
    | "backupCode"
    | "passkey"
    | "provider";
  /**
   * Member of the body, or parameter, that contains the proof; null: the route begins the proof, and another one accepts it.
   */
  readonly member: string | null;
  /** Account that is proved: that of the member `email`, that of the session, or the one that the proof itself names. */
  readonly of: "email" | "session" | "proof";
}

/** Routes that this API answers itself, each by the name of its handler. */
export type OwnRoute =
  | "deleteOrganization"
  | "listOrganizationKeys"
  | "revokeOrganizationKey"
  | "listOrganizationGrants"
  | "revokeOrganizationGrant"
  // These are the page of a mailed link, and the act of its button.
  | "openLink"
  | "followLink"
  | "listOwnGrants"
  | "revokeOwnGrant"
  | "listSecurityEvents";

/**
 * The record of a route. A test compares it with the account library's own record (method, path, members), and fails on a route
 * or a member that only one of them has (`tests/unit/accounts/route_records_test.ts`).
 */
export interface AuthOperation extends Route, QueryRoute {
  readonly method: "GET" | "POST";
  /** Path below the auth base; a segment that begins with a colon matches any segment. */
  readonly path: string;
  readonly summary: string;
  readonly who: Extract<Who, "session" | "unasked">;
  /** Role that the gate requires before it reads query and body; null: `who` alone decides. */
  readonly role: RouteRole | null;
  /** Proofs of identity that the route accepts; a request contains one of them. */
  readonly challenges: readonly Challenge[];
  /** Member of the body with a new password; null: there is none. */
  readonly choosesPassword: string | null;
  /**
   * Session that the route starts: after a first factor, which may still need a second one, after a second factor, or complete;
   * null: none.
   */
  readonly signsIn: "firstFactor" | "secondFactor" | "whole" | null;
  /** True: the route requires the password, or a session of the last ten minutes. */
  readonly needsFresh: boolean;
  /**
   * True for a route that an administrator may use in an account's place. Other changes would outlive the hour and the mark of
   * such a session.
   */
  readonly whileImpersonating: boolean;
  /** Handler of this API; null: the account library answers. */
  readonly own: OwnRoute | null;
  /** Message that the route may send; null: none. */
  readonly mails: AccountMail | null;
  /**
   * True: a repeated request is answered 200 like the first and changes nothing more. The proofs repeat requests of such
   * routes.
   */
  readonly isRepeatable: boolean;
  /** Members that the account library accepts and this API refuses (body) or drops (query). */
  readonly withheld: readonly string[];
  /** Known parameters of the query. */
  readonly parameters: z.ZodObject;
  /** True when the response is a page of a list, so that the route accepts the parameters of pages beside its own. */
  readonly isPaged: boolean;
  /** Schema of the body; null: the route is a GET. A body that may be empty may be absent. */
  readonly body: z.ZodObject | null;
  readonly bodyExample: JsonSchema;
  /** Schema of a response 200; null: there is none. */
  readonly success: JsonSchema | null;
  /** Schema of a response 202, for work that has begun and is not complete; null: there is none. */
  readonly accepted: JsonSchema | null;
  /** True when the response may redirect to the address of the link. */
  readonly redirects: boolean;
}

/** True when a request without a body equals one with an empty object. */
export function isBodyOptional({ body }: AuthOperation): boolean {
  return body?.safeParse({}).success ?? true;
}

/** True at the paths of mailed links: they return pages, and accept the forms of these pages. */
export function isLinkRoute({ own }: AuthOperation): boolean {
  return own === "openLink" || own === "followLink";
}

/**
 * True when the route proves an identity, or requests a code or link that does. It has the limit of authentication (contract
 * 7.2).
 */
export function provesIdentity(
  { who, challenges, choosesPassword, mails }: AuthOperation,
): boolean {
  return challenges.length > 0 ||
    (who === "unasked" && (choosesPassword !== null || mails !== null));
}

type DeclaredOperation =
  & Pick<AuthOperation, "id" | "path" | "summary">
  & Partial<Omit<AuthOperation, "query">>;

const NOTHING = body({});

/** Returns a reading route, which needs a session unless it declares otherwise. */
export function read(declared: DeclaredOperation, success: JsonSchema | null): AuthOperation {
  const { method = "GET", path, parameters = z.object({}), redirects = false } = declared;
  return {
    tag: ACCOUNTS_TAG,
    listedAs: "auth",
    feature: null,
    rateGate: null,
    keyed: false,
    method: "GET",
    who: "session",
    role: null,
    challenges: [],
    choosesPassword: null,
    signsIn: null,
    needsFresh: false,
    whileImpersonating: (declared.method ?? "GET") === "GET" || declared.who === "unasked",
    own: null,
    mails: null,
    isRepeatable: method === "GET" && !redirects && !path.includes(":") &&
      parameters.safeParse({}).success,
    withheld: [],
    parameters,
    query: validatedQuery(parameters),
    // Mail programs add parameters to links in messages.
    strays: "ignored",
    isPaged: false,
    body: null,
    bodyExample: {},
    accepted: null,
    redirects: false,
    success,
    ...declared,
  };
}

/** Returns a writing route, which needs a session unless it declares otherwise. */
export function write(
  declared: DeclaredOperation & { readonly takes?: z.ZodRawShape },
  success: JsonSchema,
): AuthOperation {
  const { takes, ...others } = declared;
  const shape = takes === undefined ? NOTHING : body(takes);
  return read({ method: "POST", body: shape, ...others }, success);
}

/**
 * Returns the two operations of a mailed link: GET shows its purpose and changes nothing, POST acts (decisions/accounts.md).
 */
export function link(
  { page, act, leadsTo }: {
    /** Operation of the page. */
    readonly page: DeclaredOperation;
    /** Operation of the page's button. */
    readonly act: Omit<DeclaredOperation, "path"> & { readonly takes: z.ZodRawShape };
    /** Pages to which the link may lead afterwards. */
    readonly leadsTo: z.ZodRawShape;
  },
  success: JsonSchema,
): readonly AuthOperation[] {
  const { path } = page;
  const inPath = path.includes("/:");
  const token = inPath ? {} : { token: MEMBER.token };
  const followed: Challenge = { by: "mailedLink", member: inPath ? null : "token", of: "proof" };
  const guessed: Challenge = { by: "password", member: "password", of: "proof" };
  const challenges = "password" in act.takes ? [followed, guessed] : [followed];
  const common = { path, who: "unasked" } as const;
  return [
    read({
      ...page,
      ...common,
      own: "openLink",
      challenges: [followed],
      parameters: z.object({ ...token, ...leadsTo }),
    }, LINK),
    write({
      ...common,
      ...act,
      own: "followLink",
      challenges,
      takes: { ...token, ...act.takes, ...leadsTo },
    }, success),
  ];
}

/** Returns a schema with exactly these members: an unknown one is refused, never passed on. */
function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}
