/** One route of the accounts: what it takes, what it answers, and who may ask. */
import { z } from "zod";
import type { AccountMail } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import type { Who } from "../who.ts";
import { ACCOUNTS_TAG, type Route } from "../route.ts";
import { type QueryRoute, validatedQuery } from "../route_query.ts";
import type { RouteRole } from "./route_role.ts";
import { MEMBER } from "./members.ts";
import { LINK } from "./answers.ts";

/** A proof of identity that a route takes. */
interface Challenge {
  readonly by:
    | "password"
    | "mailedCode"
    | "mailedLink"
    | "totp"
    | "backupCode"
    | "passkey"
    | "provider";
  /** Member of the body, or parameter, that holds the proof; null: it begins here and is given elsewhere. */
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
  // The page of a mailed link, and what its button does.
  | "openLink"
  | "followLink"
  | "listOwnGrants"
  | "revokeOwnGrant"
  | "listSecurityEvents";

/**
 * What the account library says of a route itself (method, path, members) is held against this record by a test, which also
 * fails on a route or a member that only one side knows (`tests/unit/accounts/route_records_test.ts`).
 */
export interface AuthOperation extends Route, QueryRoute {
  readonly method: "GET" | "POST";
  /** Below the auth base; a segment that begins with a colon stands for any one. */
  readonly path: string;
  readonly summary: string;
  readonly who: Extract<Who, "session" | "unasked">;
  /** Judged before query and body; null: whoever `who` lets in. */
  readonly role: RouteRole | null;
  /** Proofs of identity that it takes, one of which is given. */
  readonly challenges: readonly Challenge[];
  /** Member of the body with a password that is new; null: it takes none. */
  readonly choosesPassword: string | null;
  /** Session that it makes: one that a second factor may still be asked for, after one, or whole; null: none. */
  readonly signsIn: "firstFactor" | "secondFactor" | "whole" | null;
  /** True: it asks for the password, or for a session of the last ten minutes. */
  readonly needsFresh: boolean;
  /** True for whoever acts in an account's place: what others change there would outlive the hour and the mark. */
  readonly whileImpersonating: boolean;
  /** Handler of this API; null: the account library answers. */
  readonly own: OwnRoute | null;
  /** Message that it may send; null: none. */
  readonly mails: AccountMail | null;
  /** True: whoever may ask is answered 200, and asking again leaves what was left before. Proofs ask it. */
  readonly isRepeatable: boolean;
  /** Members that the account library takes and this API refuses (body) or drops (query). */
  readonly withheld: readonly string[];
  /** Known parameters of the query. */
  readonly parameters: z.ZodObject;
  /** True when it answers a page of a list, and takes the parameters of pages beside its own. */
  readonly isPaged: boolean;
  /** Null: GET. A body that may be empty may be absent. */
  readonly body: z.ZodObject | null;
  readonly bodyExample: JsonSchema;
  /** Of 200; null: there is none. */
  readonly success: JsonSchema | null;
  /** Of 202: what was begun and is not done yet; null: it is never so. */
  readonly accepted: JsonSchema | null;
  /** True when it may answer with a redirect to where the link was to lead. */
  readonly redirects: boolean;
}

/** True when a request without a body is one with an empty object. */
export function isBodyOptional({ body }: AuthOperation): boolean {
  return body?.safeParse({}).success ?? true;
}

/** True at the paths of mailed links: they answer pages, and take the forms of these. */
export function isLinkRoute({ own }: AuthOperation): boolean {
  return own === "openLink" || own === "followLink";
}

/** True when it proves an identity, or asks for the means to: its limit is one of authentication (contract 7.2). */
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

/** Reads with a session, unless said otherwise. */
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
    // Links in messages get strange ones on their way.
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

/** Writes with a session, unless said otherwise. */
export function write(
  declared: DeclaredOperation & { readonly takes?: z.ZodRawShape },
  success: JsonSchema,
): AuthOperation {
  const { takes, ...others } = declared;
  const shape = takes === undefined ? NOTHING : body(takes);
  return read({ method: "POST", body: shape, ...others }, success);
}

/** The two operations of a mailed link: GET tells what it is for and changes nothing, POST does it (decisions/accounts.md). */
export function link(
  { page, act, leadsTo }: {
    /** Of the page. */
    readonly page: DeclaredOperation;
    /** Of what its button does. */
    readonly act: Omit<DeclaredOperation, "path"> & { readonly takes: z.ZodRawShape };
    /** Pages that it may lead on to. */
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

/** Exactly these members: an unknown one is refused, never passed on. */
function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}
