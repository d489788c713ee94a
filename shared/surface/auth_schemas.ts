/** Members and records of the account routes as the account library has them, each member described once. */
import type { JsonSchema } from "./parameters.ts";
import { orNull } from "./schema/zod_json.ts";

const TEXT: JsonSchema = { type: "string", minLength: 1 };
const TIME: JsonSchema = { type: "string", format: "date-time" };

function told(description: string, schema: JsonSchema, example?: string): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

/** One role, or several. */
const ROLES: JsonSchema = { type: ["string", "array"], items: TEXT, minLength: 1, minItems: 1 };

const MEMBERS = {
  id: told("Its id.", TEXT, "<id>"),
  name: told("The name that people see.", { type: "string" }, "Jane Doe"),
  email: told("E-mail address of the account.", { type: "string", format: "email" }),
  image: told("Address of a picture, if there is one.", orNull({ type: "string" })),
  password: told(
    "The password, within the account library's limits.",
    { type: "string", minLength: 1 },
    "<password>",
  ),
  newPassword: told("The new password.", { type: "string", minLength: 1 }, "<password>"),
  token: told("Names the session, invitation or link that it came with.", TEXT, "<token>"),
  userId: told("Id of the account.", TEXT, "<user_id>"),
  slug: told("Short name for addresses, unique.", TEXT, "acme"),
  createdAt: told("When it was made.", TIME),
  expiresAt: told("When it ends.", TIME),
  organizationId: told("Id of the organization.", TEXT, "<organization_id>"),
  teamId: told("Id of the team.", TEXT, "<team_id>"),
  memberId: told("Id of the membership.", TEXT, "<member_id>"),
  memberIdOrEmail: told("Id of the membership, or its e-mail address.", TEXT, "<member_id>"),
  invitationId: told("Id of the invitation.", TEXT, "<invitation_id>"),
  keyId: told("Id of the API key.", TEXT, "<key_id>"),
  key: told("The key itself, shown this once.", TEXT, "<api_key>"),
  role: told("Role in the organization; several are parted by commas.", TEXT, "member"),
  roles: told("One role, or a list.", ROLES, "member"),
  enabled: told("Whether it can be used.", { type: "boolean" }),
  status: told("Whether it was done.", { type: "boolean" }),
  success: told("Whether it was done.", { type: "boolean" }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

type AuthMember = keyof typeof MEMBERS;

/** The described schema of a member. */
export function member(name: AuthMember): JsonSchema {
  return MEMBERS[name];
}

/** The same, or null. */
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

/** A record of another kind inside an answer. */
export function described(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description };
}

export function listOf(description: string, items: JsonSchema): JsonSchema {
  return { type: "array", description, items };
}

export const USER = object(["id", "name", "email", "image"]);
export const SESSION = object(["id", "userId", "expiresAt"]);
export const ORGANIZATION = object(["id", "name", "slug", "createdAt"]);
export const MEMBERSHIP = object(["id", "organizationId", "userId", "role"]);
export const TEAM = object(["id", "name", "organizationId"]);
export const API_KEY = object(["id", "enabled"], { name: nullable("name") });
export const STATUS = object(["status"]);
export const SUCCESS = object(["success"]);
export const INVITATION = object(["id", "organizationId", "email", "role", "expiresAt"], {
  status: told("How far it is.", {
    type: "string",
    enum: ["pending", "accepted", "rejected", "canceled"],
  }),
});
