/** Answers of the account routes, as the account library has it, each member described once. */
import type { JsonSchema } from "../parameters.ts";
import { orNull } from "../schema/zod_json.ts";

const TEXT: JsonSchema = { type: "string", minLength: 1 };
const TIME: JsonSchema = { type: "string", format: "date-time" };

/** The schema with a description, and an example where one is given. */
export function described(description: string, schema: JsonSchema, example?: string): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

const MEMBERS = {
  id: described("Its id.", TEXT, "<id>"),
  name: described("The name that people see.", { type: "string" }, "Jane Doe"),
  email: described("E-mail address of the account.", { type: "string", format: "email" }),
  image: described("Address of a picture, if there is one.", orNull({ type: "string" })),
  token: described("Names the session, invitation or link that it came with.", TEXT, "<token>"),
  userId: described("Id of the account.", TEXT, "<user_id>"),
  slug: described("Short name for addresses, unique.", TEXT, "acme"),
  createdAt: described("When it was made.", TIME),
  expiresAt: described("When it ends.", TIME),
  organizationId: described("Id of the organization.", TEXT, "<organization_id>"),
  teamId: described("Id of the team.", TEXT, "<team_id>"),
  key: described("The key itself, shown this once.", TEXT, "<api_key>"),
  role: described("Role in the organization; several are parted by commas.", TEXT, "member"),
  enabled: described("Whether it can be used.", { type: "boolean" }),
  status: described("Whether it was done.", { type: "boolean" }),
  success: described("Whether it was done.", { type: "boolean" }),
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
export const API_KEY = object(["id", "enabled"], { name: nullable("name") });
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
