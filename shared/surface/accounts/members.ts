/**
 * Members of account requests, each member described once: validator and description at the same time. No text holds a
 * NUL character, which no database of ours keeps.
 */
import { z } from "zod";
import { PASSWORD_LENGTH } from "../../contract/limits.ts";

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
export function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}
