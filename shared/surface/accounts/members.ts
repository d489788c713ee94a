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

function told<T extends z.ZodType>(schema: T, description: string, example?: string): T {
  return schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

const newPassword = text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** The address to which a link in a message leads at last: a path of this origin, or an address of a trusted one. */
const address = text();

export const MEMBER = {
  name: told(text(), "The name that people see.", "Jane Doe"),
  email: told(z.email().max(254), "E-mail address of the account.", "jane@example.com"),
  image: told(text(), "Address of a picture."),
  password: told(text(), "The password.", "<password>"),
  newPassword: told(newPassword, "The new password.", "<password>"),
  token: told(text(), "Names the session or link that it came with.", "<token>"),
  callbackURL: told(address, "Where the link leads afterwards; trusted origins only.", "/welcome"),
  userId: told(text(), "Id of the account.", "<user_id>"),
  organizationId: told(
    text(),
    "Id of the organization; where it may be left out, the active one is meant.",
    "<organization_id>",
  ),
  organizationSlug: told(text(), "Names the organization instead of its id.", "acme"),
  slug: told(text(), "Short name for addresses, unique.", "acme"),
  logo: told(text().nullable(), "Address of a picture."),
  metadata: told(z.record(z.string(), z.unknown()), "Whatever the application keeps with it."),
  teamId: told(text(), "Id of the team.", "<team_id>"),
  memberId: told(text(), "Id of the membership.", "<member_id>"),
  memberIdOrEmail: told(text(), "Id of the membership, or its e-mail address.", "<member_id>"),
  invitationId: told(text(), "Id of the invitation.", "<invitation_id>"),
  keyId: told(text(), "Id of the API key.", "<key_id>"),
  keyName: told(text(1, 32), "Names the key for people.", "ci"),
  enabled: told(z.boolean(), "Whether it can be used."),
  roles: told(
    z.union([text(), z.array(text()).min(1).max(20)]),
    "One role, or a list.",
    "member",
  ),
  permissions: told(
    z.record(z.string(), z.array(text()).min(1)),
    "Actions by what they are done to.",
  ),
  seconds: told(z.int().min(1).max(365 * 24 * 60 * 60), "Seconds until it ends."),
} as const;

/** Of the query, where every value is a text. */
export const QUERY = {
  count: told(z.string().regex(/^[1-9][0-9]{0,2}$/), "How many at most.", "50"),
  offset: told(z.string().regex(/^[0-9]{1,6}$/), "How many to leave out.", "0"),
  flag: z.enum(["true", "false"]),
} as const;

/** Exactly these members: an unknown one is refused, never passed on. */
export function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}
