/** Describes the responses of account routes. */
import { LINKED_MAILS } from "../../model/mod.ts";
import { described, TEXT, TIME } from "../schema/json_schema.ts";
import { orNull } from "../schema/zod_json.ts";
import type { JsonSchema } from "../parameters.ts";
import { TEXT_MAX } from "./members.ts";

/** Members of responses, as the account library returns them, each described once. */
export const MEMBERS = {
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

/** Returns the schema of a member that may be null. */
export function nullable(name: AuthMember): JsonSchema {
  return orNull(MEMBERS[name]);
}

/** Returns an object with the named members and those of `more`. It is open, because the library may add members. */
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

/** Schema of a mailed link's purpose. */
export const LINK: JsonSchema = {
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

/** Objects of responses, by their names in the description. */
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
