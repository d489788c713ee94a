/** Calls the project's account hooks from the library's hooks (definitions 6, `hooks/auth.ts`). */
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { OrganizationOptions } from "better-auth/plugins/organization";
import type { BetterAuthOptions } from "better-auth/types";
import type { BeforeAuthHook } from "../model/mod.ts";
import type { AuthHooks, AuthHookSubject, Reader, SqlValue } from "../runtime/ports.ts";
import type { LibraryInput } from "./library_input.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";
import { requireFreeSlug } from "./free_slug.ts";
import { firstFactorsOf } from "./two_factor.ts";

interface NamedSubject {
  readonly id: string;
  readonly name: string;
}

type User = NamedSubject & { readonly email: string };
type Organization = NamedSubject & { readonly slug: string };

type UserHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["user"]>;
type SessionHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["session"]>;

/** Throws the library's refusal when the project's hook refuses. */
export async function requireAllowed(
  hooks: AuthHooks,
  name: BeforeAuthHook,
  subject: AuthHookSubject,
): Promise<void> {
  const refusal = await hooks.before(name, subject);
  if (refusal === null) return;
  const { status, code, message } = refusal;
  throw new APIError(STATUSES.find((known) => known === status) ?? 400, { code, message });
}

/** Statuses that account routes may refuse with. Any other becomes 400. */
const STATUSES = [400, 403, 500] as const;

export function userLifeCycle({ hooks }: LibraryInput) {
  return {
    create: { after: (user) => hooks.after("onSignUp", { user: toldUser(user) }) },
    update: { after: (user) => hooks.after("onUserUpdated", { user: toldUser(user) }) },
    delete: { after: (user) => hooks.after("onUserDeleted", { user: toldUser(user) }) },
  } satisfies UserHooks;
}

export function sessionLifeCycle({ project, hooks, database }: LibraryInput) {
  const firstFactors = firstFactorsOf(project);
  return {
    async after({ userId, ...session }, ctx) {
      if (typeof session["impersonatedBy"] === "string") return;
      // A sign-in is complete only after the second factor.
      if (project.auth.signIn?.twoFactor && firstFactors.has(ctx?.path ?? "")) {
        const sql = `SELECT 1 FROM "auth_user" WHERE "id" = ? AND "two_factor_enabled" = 1`;
        if ((await database.run({ sql, args: [userId] })).rows.length > 0) return;
      }
      const user = await userOf(database, userId);
      if (user) await hooks.after("onSignIn", { user });
    },
  } satisfies SessionHooks["create"];
}

export function organizationLifeCycle({ hooks, database }: LibraryInput) {
  const member = (
    { user, organization, member: { role } }: {
      readonly user: User;
      readonly organization: Organization;
      readonly member: { readonly role: string };
    },
  ): AuthHookSubject => ({ ...about({ user, organization }), role });
  return {
    async beforeCreateOrganization({ user, organization: { name = "", slug = "" } }) {
      await requireFreeSlug(database, slug, null);
      const subject = { user: toldUser(user), organization: { name, slug } };
      await requireAllowed(hooks, "beforeOrganizationCreated", subject);
    },
    beforeUpdateOrganization: ({ organization: { slug }, member: { organizationId } }) =>
      requireFreeSlug(database, slug, organizationId),
    afterCreateOrganization: (told) => hooks.after("onOrganizationCreated", about(told)),
    async afterUpdateOrganization({ user, organization }) {
      if (organization) await hooks.after("onOrganizationUpdated", about({ user, organization }));
    },
    afterAddMember: (told) => hooks.after("onMemberAdded", member(told)),
    afterAcceptInvitation: (told) => hooks.after("onMemberAdded", member(told)),
    afterRemoveMember: (told) => hooks.after("onMemberRemoved", member(told)),
  } satisfies OrganizationOptions["organizationHooks"];
}

const LEAVING = "/organization/leave";

/** Calls the hook for a member who left, which the library lacks. */
export async function afterLeaving(
  { hooks, database }: LibraryInput,
  ctx: AuthMiddlewareContext,
): Promise<void> {
  if (ctx.path !== LEAVING || isAPIError(ctx.context.returned)) return;
  const left = ctx.context.returned;
  const [organizationId, role] = ["organizationId", "role"].map((key) => {
    if (typeof left !== "object" || left === null) return null;
    const found: unknown = Reflect.get(left, key);
    return typeof found === "string" ? found : null;
  });
  const session = await getSessionFromCtx(ctx);
  const { rows } = await database.run({
    sql: `SELECT "id", "name", "slug" FROM "auth_organization" WHERE "id" = ?`,
    args: [organizationId ?? ""],
  });
  const [row] = rows;
  const organization = row
    ? { id: textOf(row[0]), name: textOf(row[1]), slug: textOf(row[2]) }
    : null;
  if (!session || !organization) return;
  const user = toldUser(session.user);
  await hooks.after("onMemberRemoved", { user, organization, role: role ?? "" });
}

function about(
  { user, organization: { id, name, slug } }: {
    readonly user: User;
    readonly organization: Organization;
  },
): AuthHookSubject {
  return { user: toldUser(user), organization: { id, name, slug } };
}

function toldUser({ id, email, name }: User) {
  return { id, email, name };
}

export async function userOf(reader: Reader, id: string) {
  const { rows } = await reader.run({
    sql: `SELECT "id", "email", "name" FROM "auth_user" WHERE "id" = ?`,
    args: [id],
  });
  const [row] = rows;
  return row ? { id: textOf(row[0]), email: textOf(row[1]), name: textOf(row[2]) } : null;
}

function textOf(value: SqlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
