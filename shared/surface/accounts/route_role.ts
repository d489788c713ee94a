/**
 * Role that an account route asks its caller for. The gate judges it before query and body, so a refused caller learns nothing of
 * either (contract 1.3, decisions/accounts.md).
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
  /** Roles in the organization, one of which lets in; null: every member is let in. */
  readonly roles: readonly string[] | null;
  /** Platform roles that let in, member or not. */
  readonly platform: readonly PlatformRole[];
  /** Members of body or query that name the organization, in this order; without one of them the active one is meant. */
  readonly names: readonly OrganizationName[];
  /** True: a request that means no organization is nobody's affair. */
  readonly isOptional: boolean;
  readonly refusal: LibraryForm | ProblemForm;
}

export type OrganizationName = "organizationId" | "organizationSlug" | "invitationId";

/** `{ code, message }` with a code of the account library. */
interface LibraryForm {
  readonly form: "library";
  /** For members without the role. */
  readonly code: string;
}

/** A problem document; members without the role get `ACCESS_ROLE_REQUIRED`. */
interface ProblemForm {
  readonly form: "problem";
  /** For those who are no members, and where no organization is meant. */
  readonly outside: RuntimeCode;
}

/** For those who are no members. */
export const NOT_A_MEMBER = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
/** Where no organization is meant. */
export const NO_ORGANIZATION = "NO_ACTIVE_ORGANIZATION";

/** Texts of the library that say something else than their code. */
const TEXTS: Readonly<Record<string, string>> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: "You are not allowed to create a new member",
};

/** The library's text of a refusal: its code in words. */
export function libraryMessage(code: string): string {
  const text = TEXTS[code];
  if (text !== undefined) return text;
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function ofSysadmin(refusal: string): PlatformRouteRole {
  return { kind: "platform", roles: ["sysadmin"], refusal };
}

/** Those who manage the organization in the account library. */
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

/** Of routes that this API answers itself. */
export function ofOwners(
  names: readonly OrganizationName[],
  outside: RuntimeCode,
): OrganizationRouteRole {
  const refusal = { form: "problem", outside } as const;
  return { ...ofMembers(names), roles: ["owner"], platform: ["sysadmin"], refusal };
}
