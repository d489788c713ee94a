/** One route of the accounts: what it takes, what it answers, and who may ask. */
import { z } from "zod";
import { PASSWORD_LENGTH } from "../../contract/mod.ts";
import { type AccountMail, LINKED_MAILS } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import { RESERVED_SLUGS } from "../reserved_slugs.ts";
import { orNull } from "../schema/zod_json.ts";
import { described, TEXT, TIME } from "../schema/json_schema.ts";
import type { Who } from "../who.ts";
import { ACCOUNTS_TAG, type Route } from "../route.ts";
import { type QueryRoute, validatedQuery } from "../route_query.ts";
import type { RouteRole } from "./route_role.ts";

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

interface DeclaredLink {
  /** Of the page. */
  readonly page: DeclaredOperation;
  /** Of what its button does. */
  readonly act: Omit<DeclaredOperation, "path"> & { readonly takes: z.ZodRawShape };
  /** Pages that it may lead on to. */
  readonly leadsTo: z.ZodRawShape;
}

/** The two operations of a mailed link: GET tells what it is for and changes nothing, POST does it (decisions/accounts.md). */
export function link(
  { page, act, leadsTo }: DeclaredLink,
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

/** No column of accounts needs more. */
const TEXT_MAX = 2048;

const NO_NUL = "[^\\u0000]";

function text(min = 1, max = TEXT_MAX) {
  return z.string().regex(new RegExp(`^${NO_NUL}{${min},${max}}$`, "u"));
}

/** Refused in names: a mail shows them, and its reader takes them for words of this service. */
const NO_CONTROL = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]";

/** What people call something: one line, in which no address stands. */
function nameText(max = TEXT_MAX) {
  const error = "Must be one line without control characters and without ://";
  const pattern = new RegExp(`^(?!.*://)${NO_CONTROL}{1,${max}}$`, "u");
  return z.string({ error }).regex(pattern, { error });
}

function slugText() {
  const words = RESERVED_SLUGS.join("|");
  const pattern = new RegExp(`^(?!(?:${words})$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`);
  const error = "Must be 1 to 63 of a-z, 0-9 and -, without - at either end, and none of: " +
    RESERVED_SLUGS.join(", ");
  return z.string({ error }).regex(pattern, { error });
}

function documented<T extends z.ZodType>(schema: T, description: string, example?: string): T {
  return schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

const newPassword = text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** The address to which a link in a message leads at last: a path of this origin, or an address of a trusted one. */
const address = text();

/**
 * Members of requests, each described once: validator and description at the same time. No text holds a NUL character, which
 * no database of ours keeps.
 */
export const MEMBER = {
  name: documented(nameText(), "The name that people see.", "Jane Doe"),
  text: text(),
  email: documented(z.email().max(254), "E-mail address of the account.", "jane@example.com"),
  image: documented(text(), "Address of a picture."),
  password: documented(text(), "The password.", "<password>"),
  newPassword: documented(newPassword, "The new password.", "<password>"),
  token: documented(text(), "Names a session or a link.", "<token>"),
  callbackURL: documented(
    address,
    "Page that comes next; trusted origins only.",
    "/welcome",
  ),
  userId: documented(text(), "Id of the account.", "<user_id>"),
  organizationId: documented(
    text(),
    "Id of the organization; by default the active one.",
    "<organization_id>",
  ),
  organizationSlug: documented(text(), "Names the organization instead of its id.", "acme"),
  slug: documented(
    slugText(),
    "Short name for addresses, unique without regard to case: 1 to 63 of a-z, 0-9 and -, and no - at either end.",
    "acme",
  ),
  logo: documented(text().nullable(), "Address of a picture."),
  metadata: documented(
    z.record(z.string(), z.unknown()),
    "Whatever the application keeps with it.",
  ),
  teamId: documented(text(), "Id of the team.", "<team_id>"),
  memberId: documented(text(), "Id of the membership.", "<member_id>"),
  memberIdOrEmail: documented(
    text(),
    "Id of the membership, or its e-mail address.",
    "<member_id>",
  ),
  invitationId: documented(text(), "Id of the invitation.", "<invitation_id>"),
  keyId: documented(text(), "Id of the API key.", "<key_id>"),
  grantId: documented(text(), "Id of what was allowed.", "<grant_id>"),
  keyName: documented(nameText(32), "Names the key for people.", "ci"),
  enabled: documented(z.boolean(), "Whether it can be used."),
  roles: documented(
    z.union([text(), z.array(text()).min(1).max(20)]),
    "One role, or a list.",
    "member",
  ),
  permissions: documented(
    z.record(z.string(), z.array(text()).min(1)),
    "Actions by what they are done to.",
  ),
  seconds: documented(z.int().min(1).max(365 * 24 * 60 * 60), "Seconds until it ends."),
} as const;

/** Of the query, where every value is a text. */
export const QUERY = {
  count: documented(z.string().regex(/^[1-9][0-9]{0,2}$/), "How many at most.", "50"),
  offset: documented(z.string().regex(/^[0-9]{1,6}$/), "How many to leave out.", "0"),
  flag: z.enum(["true", "false"]),
} as const;

/** Exactly these members: an unknown one is refused, never passed on. */
function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}

/** Members of answers, as the account library has them, each described once. */
const MEMBERS = {
  id: described("Its id.", TEXT, "<id>"),
  name: described("The name that people see.", TEXT, "Jane Doe"),
  email: described("E-mail address of the account.", { type: "string", format: "email" }),
  image: described(
    "Address of a picture, if there is one.",
    orNull({ type: "string", maxLength: TEXT_MAX }),
  ),
  token: described("Names the session, invitation or link that it came with.", TEXT, "<token>"),
  userId: described("Id of the account.", TEXT, "<user_id>"),
  slug: described("Short name for addresses, unique.", TEXT, "acme"),
  createdAt: described("When it was made.", TIME),
  expiresAt: described("When it ends.", TIME),
  organizationId: described("Id of the organization.", TEXT, "<organization_id>"),
  teamId: described("Id of the team.", TEXT, "<team_id>"),
  key: described("The key itself, shown this once.", TEXT, "<api_key>"),
  role: described(
    "Role in the organization; several are parted by commas; empty: none that the project has.",
    { type: "string", maxLength: TEXT_MAX },
    "member",
  ),
  enabled: described("Whether it can be used.", { type: "boolean" }),
  status: described("Whether it was done.", { type: "boolean" }, true),
  success: described("Whether it was done.", { type: "boolean" }, true),
} as const satisfies Readonly<Record<string, JsonSchema>>;

type AuthMember = keyof typeof MEMBERS;

/** A member that may be null. */
export function nullable(name: AuthMember): JsonSchema {
  return orNull(MEMBERS[name]);
}

/** An object with these members and those; open, because the library may add members. */
export function object(
  names: readonly AuthMember[],
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const properties = {
    ...Object.fromEntries(names.map((name) => [name, MEMBERS[name]])),
    ...more,
  };
  return { type: "object", properties, required: Object.keys(properties) };
}

export function listOf(description: string, items: JsonSchema): JsonSchema {
  return { type: "array", description, items };
}

export const USER = object(["id", "name", "email", "image"]);
export const SESSION = object(["id", "userId", "expiresAt"]);
export const ORGANIZATION = object(["id", "name", "slug", "createdAt"]);
export const MEMBERSHIP = object(["id", "organizationId", "userId", "role"]);
export const TEAM_MEMBERSHIP = object(["id", "teamId", "userId"]);
export const TEAM = object(["id", "name", "organizationId"]);
const LAST_USE = described(
  "When it was last used, to the minute; null: never.",
  orNull({ type: "string", format: "date-time" }),
);
export const API_KEY = object(["id", "enabled"], {
  name: nullable("name"),
  lastRequest: LAST_USE,
});
export const ORGANIZATION_KEY = object(["id", "userId", "enabled", "createdAt"], {
  name: nullable("name"),
  start: described("How the key begins.", orNull({ type: "string" })),
  permissions: described(
    "What it may do at most, by resource; null: all that its user may.",
    orNull({ type: "object", additionalProperties: { type: "array", items: { type: "string" } } }),
  ),
  expiresAt: nullable("expiresAt"),
  lastUsedAt: LAST_USE,
});
export const CLIENT_GRANT = object(["id", "userId", "createdAt", "expiresAt"], {
  clientId: described("Id of the client.", TEXT),
  clientName: described("Its name, as it calls itself.", orNull(TEXT)),
  organizationId: described("Id of the organization that it acts in, if any.", orNull(TEXT)),
  scopes: described("What it may do at most.", { type: "array", items: TEXT }),
  lastUsedAt: described(
    "When it last got a token.",
    orNull({ type: "string", format: "date-time" }),
  ),
});
/** What a mailed link is for. */
const LINK: JsonSchema = {
  type: "object",
  properties: {
    act: described("What it does.", { type: "string", enum: [...LINKED_MAILS] }),
    email: described("Address that it is for.", {
      type: "string",
      format: "email",
    }),
    requestedAt: described("When it was asked for.", TIME),
    newEmail: described("The new address.", {
      type: "string",
      format: "email",
    }),
    organization: described("Who invites.", TEXT),
  },
  required: ["act", "email", "requestedAt"],
};
export const STATUS = object(["status"]);
export const SUCCESS = object(["success"]);
export const INVITATION = object(["id", "organizationId", "email", "role", "expiresAt"], {
  status: described("How far it is.", {
    type: "string",
    enum: ["pending", "accepted", "rejected", "canceled"],
  }),
});

export const FULL_ORGANIZATION: JsonSchema = object(["id", "name", "slug", "createdAt"], {
  members: listOf("The memberships.", MEMBERSHIP),
  invitations: listOf("The invitations.", INVITATION),
  teams: listOf("The teams.", TEAM),
});

/** Objects of answers, by the names under which the description has them. */
export const NAMED_ANSWERS: Readonly<Record<string, JsonSchema>> = {
  User: described("An account.", USER),
  Session: described("A session of an account.", SESSION),
  Organization: described("An organization.", ORGANIZATION),
  Membership: described("An account in an organization.", MEMBERSHIP),
  Team: described("A team of an organization.", TEAM),
  TeamMembership: described("An account in a team.", TEAM_MEMBERSHIP),
  Invitation: described("An invitation to an organization.", INVITATION),
  MailedLink: described("What a mailed link is for.", LINK),
  ApiKey: described("An API key, without its text.", API_KEY),
  OrganizationApiKey: described(
    "An API key of an organization, without its text.",
    ORGANIZATION_KEY,
  ),
  ClientGrant: described("What a user allowed an OAuth client.", CLIENT_GRANT),
  AccountStatus: described("What became of the request.", STATUS),
  AccountSuccess: described("What became of the request.", SUCCESS),
};
