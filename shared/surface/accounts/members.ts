/** Defines the members of requests of account routes. */
/** Defines one route of the accounts: its request, its response, and its callers. */
import { z } from "zod";
import { RESERVED_SLUGS } from "../reserved_slugs.ts";
import { PASSWORD_LENGTH } from "../../contract/mod.ts";

/** Limit of a text's length. No column of accounts needs more. */
export const TEXT_MAX = 2048;
const NO_NUL = "[^\\u0000]";

export function text(min = 1, max = TEXT_MAX) {
  return z.string().regex(new RegExp(`^${NO_NUL}{${min},${max}}$`, "u"));
}

/**
 * Excludes control characters from names. A mail contains a name, and its reader would take such text for the service's own.
 */
const NO_CONTROL = "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]";

/** Returns the schema of a name that people choose: one line, without an address in it. */
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

function documented<T extends z.ZodType>(
  schema: T,
  description: string,
  example?: string,
): T {
  return schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

export const newPassword = text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** Schema of the address to which a link in a message finally leads: a path of this origin, or an address of a trusted one. */
export const address = text();

/**
 * Members of requests, each with its validator and description. No text may contain a NUL character, which databases do not
 * store.
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

/** Members of the query, where every value is a text. */
export const QUERY = {
  count: documented(z.string().regex(/^[1-9][0-9]{0,2}$/), "How many at most.", "50"),
  offset: documented(z.string().regex(/^[0-9]{1,6}$/), "How many to leave out.", "0"),
  flag: z.enum(["true", "false"]),
} as const;
