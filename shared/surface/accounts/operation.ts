/** One route of the accounts: what it takes, what it answers, and who may ask. */
import { z } from "zod";
import { PASSWORD_LENGTH } from "../../contract/limits.ts";
import type { JsonSchema } from "../parameters.ts";
import type { Who } from "../who.ts";

export interface AuthOperation {
  /** Unique in the document; begins with `auth`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Below the auth base; a segment that begins with a colon stands for any one. */
  readonly path: string;
  readonly summary: string;
  readonly who: Extract<Who, "session" | "unasked">;
  /** Known parameters of the query; others are ignored, as links in messages get strange ones on their way. */
  readonly query: z.ZodObject;
  /** Null: GET. A body that may be empty may be absent. */
  readonly body: z.ZodObject | null;
  readonly bodyExample: JsonSchema;
  /** Of 200; null: there is none. */
  readonly success: JsonSchema | null;
  /** Of 202: what was begun and is not done yet; null: it is never so. */
  readonly accepted: JsonSchema | null;
  /** True when it may answer with a redirect to where the link was to lead. */
  readonly redirects: boolean;
  /** Statuses of its own refusals. */
  readonly refusals: readonly number[];
}

/** True when a request without a body is one with an empty object. */
export function isBodyOptional({ body }: AuthOperation): boolean {
  return body?.safeParse({}).success ?? true;
}

type DeclaredOperation = Pick<AuthOperation, "id" | "path" | "summary"> & Partial<AuthOperation>;

const NOTHING = body({});

/** Reads with a session, unless said otherwise. */
export function read(declared: DeclaredOperation, success: JsonSchema | null): AuthOperation {
  return {
    method: "GET",
    who: "session",
    query: z.object({}),
    body: null,
    bodyExample: {},
    accepted: null,
    redirects: false,
    refusals: [400, 401, 403],
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
  return {
    ...read(others, success),
    method: "POST",
    body: takes === undefined ? NOTHING : body(takes),
    ...others,
  };
}

/** No column of accounts needs more. */
const TEXT_MAX = 2048;

const NO_NUL = "[^\\u0000]";

function text(min = 1, max = TEXT_MAX) {
  return z.string().regex(new RegExp(`^${NO_NUL}{${min},${max}}$`, "u"));
}

function described<T extends z.ZodType>(schema: T, description: string, example?: string): T {
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
  name: described(text(), "The name that people see.", "Jane Doe"),
  email: described(z.email().max(254), "E-mail address of the account.", "jane@example.com"),
  image: described(text(), "Address of a picture."),
  password: described(text(), "The password.", "<password>"),
  newPassword: described(newPassword, "The new password.", "<password>"),
  token: described(text(), "Names the session or link that it came with.", "<token>"),
  callbackURL: described(
    address,
    "Where the link leads afterwards; trusted origins only.",
    "/welcome",
  ),
  userId: described(text(), "Id of the account.", "<user_id>"),
  organizationId: described(
    text(),
    "Id of the organization; where it may be left out, the active one is meant.",
    "<organization_id>",
  ),
  organizationSlug: described(text(), "Names the organization instead of its id.", "acme"),
  slug: described(text(), "Short name for addresses, unique.", "acme"),
  logo: described(text().nullable(), "Address of a picture."),
  metadata: described(z.record(z.string(), z.unknown()), "Whatever the application keeps with it."),
  teamId: described(text(), "Id of the team.", "<team_id>"),
  memberId: described(text(), "Id of the membership.", "<member_id>"),
  memberIdOrEmail: described(text(), "Id of the membership, or its e-mail address.", "<member_id>"),
  invitationId: described(text(), "Id of the invitation.", "<invitation_id>"),
  keyId: described(text(), "Id of the API key.", "<key_id>"),
  keyName: described(text(1, 32), "Names the key for people.", "ci"),
  enabled: described(z.boolean(), "Whether it can be used."),
  roles: described(
    z.union([text(), z.array(text()).min(1).max(20)]),
    "One role, or a list.",
    "member",
  ),
  permissions: described(
    z.record(z.string(), z.array(text()).min(1)),
    "Actions by what they are done to.",
  ),
  seconds: described(z.int().min(1).max(365 * 24 * 60 * 60), "Seconds until it ends."),
} as const;

/** Of the query, where every value is a text. */
export const QUERY = {
  count: described(z.string().regex(/^[1-9][0-9]{0,2}$/), "How many at most.", "50"),
  offset: described(z.string().regex(/^[0-9]{1,6}$/), "How many to leave out.", "0"),
  flag: z.enum(["true", "false"]),
} as const;

/** Exactly these members: an unknown one is refused, never passed on. */
function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}
