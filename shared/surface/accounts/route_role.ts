/**
 * Defines the role that an account route requires. The gate checks it before query and body, so a refused caller learns nothing
 * of either (contract 1.3, decisions/accounts.md).
 */
import type { PlatformRole, RuntimeCode } from "../../contract/mod.ts";

export type RouteRole = PlatformRouteRole | OrganizationRouteRole;

interface PlatformRouteRole {
  readonly kind: "platform";
  readonly roles: readonly PlatformRole[];
  /** Code of the account library. */
  readonly refusal: string;
}

export interface OrganizationRouteRole {
  readonly kind: "organization";
  /** Roles in the organization, any of which is enough; null: every member is admitted. */
  readonly roles: readonly string[] | null;
  /** Platform roles that are admitted, members or not. */
  readonly platform: readonly PlatformRole[];
  /**
   * Members of body or query that identify the organization, in this order. Without any of them it is the active organization.
   */
  readonly names: readonly OrganizationName[];
  /** True: a request without an organization passes this gate. */
  readonly isOptional: boolean;
  readonly refusal: LibraryForm | ProblemForm;
}

export type OrganizationName = "organizationId" | "organizationSlug" | "invitationId";

/** A refusal `{ code, message }` with a code of the account library. */
interface LibraryForm {
  readonly form: "library";
  /** Code for members without the role. */
  readonly code: string;
}

/** A refusal as a problem document; members without the role get `ACCESS_ROLE_REQUIRED`. */
interface ProblemForm {
  readonly form: "problem";
  /** Code for callers who are no members, and for requests without an organization. */
  readonly outside: RuntimeCode;
}

/** Code for callers who are no members. */
export const NOT_A_MEMBER = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
/** Code for a request without an organization. */
export const NO_ORGANIZATION = "NO_ACTIVE_ORGANIZATION";

/** Texts of the library that differ from their code. */
const TEXTS: Readonly<Record<string, string>> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: "You are not allowed to create a new member",
};

/** Returns the library's text of a refusal, which is its code in words. */
export function libraryMessage(code: string): string {
  const text = TEXTS[code];
  if (text !== undefined) return text;
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function ofSysadmin(refusal: string): PlatformRouteRole {
  return { kind: "platform", roles: ["sysadmin"], refusal };
}

/** Returns the role of callers who manage the organization in the account library. */
export function ofManagers(
  code: string,
  names: readonly OrganizationName[] = ["organizationId"],
): OrganizationRouteRole {
  return { ...ofMembers(names), roles: ["owner", "admin"], refusal: { form: "library", code } };
}

export function ofMembers(
  names: readonly OrganizationName[] = ["organizationId"],
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): OrganizationRouteRole {
  const refusal = { form: "library", code: NOT_A_MEMBER } as const;
  return { kind: "organization", roles: null, platform: [], names, isOptional, refusal };
}

/** Returns the role of owners, for routes that this API answers itself. */
export function ofOwners(
  names: readonly OrganizationName[],
  outside: RuntimeCode,
): OrganizationRouteRole {
  const refusal = { form: "problem", outside } as const;
  return { ...ofMembers(names), roles: ["owner"], platform: ["sysadmin"], refusal };
}
