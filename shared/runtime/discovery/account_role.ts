/**
 * Checks the role of an account route's caller before query and body (contract 1.3, decisions/accounts.md), so that only
 * callers with the role learn about other errors. The account library checks again. Refuses with `ACCESS_NO_ORG`,
 * `FIREWALL_ORG_ISOLATION` and `ACCESS_ROLE_REQUIRED`, or in the library's form.
 */
import type { Principal } from "../../model/mod.ts";
import { libraryMessage, NO_ORGANIZATION, NOT_A_MEMBER } from "../../surface/mod.ts";
import type { AuthOperation, OrganizationName, OrganizationRouteRole } from "../../surface/mod.ts";
import * as organizations from "../data/organization_rows.ts";
import type { Admitted } from "../gate.ts";
import type { Accounts } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Null: the caller holds the role. */
export async function refuseByRole(
  request: Admitted,
  { role, body }: AuthOperation,
  accounts: Accounts,
): Promise<Response | null> {
  if (role === null) return null;
  const { principal } = request;
  if (role.kind === "platform") {
    return holdsPlatformRole(principal, role.roles) ? null : refused(role.refusal);
  }
  const organizationId = await meantOrganization(request, role, body !== null);
  if (organizationId === null && role.isOptional) return null;
  const isOfPlatform = holdsPlatformRole(principal, role.platform);
  const held = organizationId === null ? null : await rolesIn(organizationId, principal, accounts);
  if (organizationId !== null && (isOfPlatform || isAdmitted(role, held))) return null;
  return refusedByOrganization(role, { organizationId, held, principal });
}

function holdsPlatformRole({ userRole }: Principal, roles: readonly string[]): boolean {
  return userRole !== null && roles.includes(userRole);
}

function isAdmitted({ roles }: OrganizationRouteRole, held: readonly string[] | null): boolean {
  return held !== null && (roles === null || roles.some((role) => held.includes(role)));
}

/** Roles of the caller there; null: they are no member. */
async function rolesIn(
  organizationId: string,
  principal: Principal,
  accounts: Accounts,
): Promise<readonly string[] | null> {
  if (organizationId === principal.organizationId) return principal.roles;
  return await accounts.rolesIn(organizationId, principal.userId ?? "");
}

function refusedByOrganization(
  { roles, platform, refusal }: OrganizationRouteRole,
  { organizationId, held }: {
    readonly organizationId: string | null;
    readonly held: readonly string[] | null;
    readonly principal: Principal;
  },
): Response {
  if (refusal.form === "library") {
    if (organizationId === null) return refused(NO_ORGANIZATION);
    return refused(held === null ? NOT_A_MEMBER : refusal.code);
  }
  if (held === null) return refuse(refusal.outside);
  const required = [...roles ?? [], ...platform];
  return refuse("ACCESS_ROLE_REQUIRED", { details: { required, current: [...held] } });
}

/** As the account library refuses. */
function refused(code: string): Response {
  return Response.json({ code, message: libraryMessage(code) }, { status: 403 });
}

/** Returns the organization that an unvalidated request names, or the caller's active one. An unknown name has no members. */
async function meantOrganization(
  { body, database, principal, search }: Admitted,
  { names }: OrganizationRouteRole,
  hasBody: boolean,
): Promise<string | null> {
  if (names.length > 0 && hasBody) await body.settle();
  const sent: unknown = hasBody ? body.parsed() : Object.fromEntries(new URLSearchParams(search));
  for (const name of names) {
    const named = textAt(sent, name);
    if (named === null) continue;
    const organizationId = await ORGANIZATIONS[name](database, named);
    if (organizationId !== null) return organizationId;
  }
  return principal.organizationId;
}

/** Ids of organizations by what names them; null: the name is not one of theirs. */
const ORGANIZATIONS: Readonly<
  Record<OrganizationName, (reader: Admitted["database"], named: string) => Promise<string | null>>
> = {
  organizationId: (_reader, named) => Promise.resolve(named),
  organizationSlug: async (reader, named) =>
    await organizations.organizationOfSlug(reader, named) ?? named,
  // A caller who manages no organization does not learn which ids exist.
  invitationId: organizations.organizationOfInvitation,
};

/** No organization has a NUL character in its name. */
function textAt(sent: unknown, name: string): string | null {
  if (typeof sent !== "object" || sent === null || !Object.hasOwn(sent, name)) return null;
  const value: unknown = Reflect.get(sent, name);
  return typeof value === "string" && value !== "" && !value.includes("\0") ? value : null;
}
