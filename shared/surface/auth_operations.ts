/**
 * The account routes (contract 4.7, definitions 7 "auth routes"): every one that is served, and no other. The description, the
 * manifests and the router read this list; the account library answers.
 */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import type { ProjectModel } from "../model/mod.ts";
import { ADMIN_OPERATIONS, IMPERSONATION_OPERATIONS } from "./accounts/admin_operations.ts";
import {
  apiKeyOperations,
  passwordOperations,
  SESSION_OPERATIONS,
} from "./accounts/credential_operations.ts";
import { grantOperations } from "./accounts/grant_operations.ts";
import type { AuthOperation } from "./accounts/operation.ts";
import { passkeyOperations } from "./accounts/passkey_operations.ts";
import { providerOperations } from "./accounts/provider_operations.ts";
import { signInOperations } from "./accounts/sign_in_operations.ts";
import { ORGANIZATION_OPERATIONS, TEAM_OPERATIONS } from "./accounts/organization_operations.ts";

export type { AuthOperation } from "./accounts/operation.ts";

/** Base path under which the document lists them: the alias in v1, the base itself in v2. */
export function authBaseOf(project: ProjectModel): string {
  const { authAlias, authBase } = CONTRACT_VERSIONS[project.contract];
  return authAlias ?? authBase;
}

export function authOperationsOf(project: ProjectModel): readonly AuthOperation[] {
  return [
    ...passwordOperations(project.auth),
    ...signInOperations(project.auth.signIn),
    ...providerOperations(project.auth.signIn),
    ...passkeyOperations(project.auth.signIn),
    ...SESSION_OPERATIONS,
    ...apiKeyOperations(project),
    ...grantOperations(project),
    ...(project.multiTenant ? [...ORGANIZATION_OPERATIONS, ...TEAM_OPERATIONS] : []),
    ...ADMIN_OPERATIONS,
    ...(project.auth.impersonation ? IMPERSONATION_OPERATIONS : []),
  ];
}
