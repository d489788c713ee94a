/**
 * Lists every account route that is served (contract 4.7, definitions 7 "auth routes"). The description, the manifests and the
 * router read this list; the account library answers.
 */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import { linkOf, mailsAt, type ProjectModel, providersOf } from "../model/mod.ts";
import { ADMIN_OPERATIONS, IMPERSONATION_OPERATIONS } from "./accounts/admin_operations.ts";
import { CLOSED_ROUTES } from "./accounts/closed_routes.ts";
import {
  apiKeyOperations,
  passwordOperations,
  SESSION_OPERATIONS,
  SIGN_UP_OPERATIONS,
} from "./accounts/credential_operations.ts";
import {
  ORGANIZATION_GRANT_OPERATIONS,
  OWN_GRANT_OPERATIONS,
} from "./accounts/grant_operations.ts";
import { withNamedRoles } from "./accounts/named_roles.ts";
import type { AuthOperation } from "./accounts/operation.ts";
import { ORGANIZATION_OPERATIONS, TEAM_OPERATIONS } from "./accounts/organization_operations.ts";
import { PASSKEY_OPERATIONS } from "./accounts/passkey_operations.ts";
import { providerOperations } from "./accounts/provider_operations.ts";
import { SECURITY_OPERATIONS } from "./accounts/security_operations.ts";
import {
  emailCodeOperations,
  magicLinkOperations,
  TWO_FACTOR_OPERATIONS,
} from "./accounts/sign_in_operations.ts";
import { isOauthServer } from "./oauth_operations.ts";

export type { AuthOperation } from "./accounts/operation.ts";

/** Returns the base path under which the document lists them: the alias in v1, the base itself in v2. */
export function authBaseOf(project: ProjectModel): string {
  const { authAlias, authBase } = CONTRACT_VERSIONS[project.contract];
  return authAlias ?? authBase;
}

/** Routes that a project has all together, or not at all. */
interface RouteGroup {
  isServed(project: ProjectModel): boolean;
  /** True: an option of the account library switches them off. */
  readonly isOption?: true;
  of(project: ProjectModel): readonly AuthOperation[];
}

const GROUPS: readonly RouteGroup[] = [
  {
    isServed: ({ auth }) => auth.emailAndPassword && !auth.disableSignUp,
    isOption: true,
    of: () => SIGN_UP_OPERATIONS,
  },
  {
    isServed: ({ auth }) => auth.emailAndPassword,
    isOption: true,
    of: ({ auth }) => passwordOperations(auth.signIn),
  },
  {
    isServed: ({ auth }) => auth.signIn?.magicLink === true,
    of: ({ auth }) => magicLinkOperations(auth.signIn),
  },
  {
    isServed: ({ auth }) => auth.signIn?.emailCode === true,
    of: ({ auth }) => emailCodeOperations(auth.signIn),
  },
  { isServed: ({ auth }) => auth.signIn?.twoFactor === true, of: () => TWO_FACTOR_OPERATIONS },
  {
    isServed: ({ auth }) => providersOf(auth.signIn).length > 0,
    of: ({ auth }) => providerOperations(auth.signIn),
  },
  { isServed: ({ auth }) => auth.signIn?.passkeys === true, of: () => PASSKEY_OPERATIONS },
  { isServed: () => true, of: () => SESSION_OPERATIONS },
  { isServed: () => true, of: () => SECURITY_OPERATIONS },
  { isServed: () => true, of: apiKeyOperations },
  { isServed: isOauthServer, of: () => OWN_GRANT_OPERATIONS },
  {
    isServed: (project) => isOauthServer(project) && project.multiTenant,
    of: () => ORGANIZATION_GRANT_OPERATIONS,
  },
  { isServed: ({ multiTenant }) => multiTenant, of: () => ORGANIZATION_OPERATIONS },
  { isServed: ({ multiTenant }) => multiTenant, of: () => TEAM_OPERATIONS },
  { isServed: () => true, of: () => ADMIN_OPERATIONS },
  { isServed: ({ auth }) => auth.impersonation === true, of: () => IMPERSONATION_OPERATIONS },
];

export function authOperationsOf(project: ProjectModel): readonly AuthOperation[] {
  return GROUPS.flatMap((group) => group.isServed(project) ? group.of(project) : [])
    .map((operation) => withNamedRoles(operation, project));
}

/** Returns the account routes with their paths in the document. */
export function accountRoutesOf(project: ProjectModel): readonly AuthOperation[] {
  const base = authBaseOf(project);
  return authOperationsOf(project).map((operation) => ({
    ...operation,
    path: base + operation.path,
  }));
}

/** Returns the paths that the account library must not answer in this project for any caller. */
export function closedPathsOf(project: ProjectModel): readonly string[] {
  const known = GROUPS.flatMap((group) =>
    group.of(project).map(({ path, own }) => ({
      path,
      isClosed: (own !== null && !mailsAt(path).some((mail) => linkOf(mail).byLibrary)) ||
        !(group.isOption || group.isServed(project)),
    }))
  );
  return [
    ...Object.keys(CLOSED_ROUTES),
    ...known.flatMap(({ path, isClosed }) => isClosed ? [path] : []),
  ];
}
