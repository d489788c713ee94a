/** Security schemes and requirements (contract 5.1). */
import {
  ORGANIZATION_ROLES,
  PLATFORM_ROLES,
  PSEUDO_ROLES,
} from "../../../../contract/principals.ts";
import type { Access } from "../../../../model/access.ts";
import { isDelegatedRole } from "../../../../model/principal.ts";
import type { AuthModel, ProjectModel } from "../../../../model/project.ts";
import { rolesNamedBy } from "../../../../surface/admission.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import type { Who } from "../../../../surface/who.ts";

export function securitySchemesOf({ auth }: ProjectModel): JsonSchema {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "better-auth.session_token",
      description:
        "The session that signing in sets. Under https the name begins with `__Secure-`.",
    },
    apiKey: {
      type: "apiKey",
      in: "header",
      name: "x-api-key",
      description: "A key of one user in one organization, made at `/api-key/create`.",
    },
    ...(auth.jwt === null ? {} : {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    }),
    ...Object.fromEntries(
      auth.principals.map(({ name, scheme, variants }) => [schemeName(name), {
        type: "http",
        scheme,
        description: `A delegated principal of this project: ${variants.join(", ")}.`,
      }]),
    ),
  };
}

/** The schemes by which an endpoint takes callers. `access` is a rule of the project's own; absent: there is none. */
export function securityOf(
  { auth }: ProjectModel,
  { who, access }: { readonly who: Who; readonly access?: Access },
): readonly JsonSchema[] {
  if (who === "unasked") return [];
  if (who === "session") return [{ session: [] }];
  const delegated = access === undefined
    ? []
    : auth.principals.filter(({ name }) =>
      rolesNamedBy(access).some((role) => mayHold(name, role, auth))
    );
  return [
    ...(auth.jwt === null ? [] : [{ bearer: [] }]),
    ...(who === "header" ? [] : [{ session: [] }]),
    { apiKey: [] },
    ...delegated.map(({ name }) => ({ [schemeName(name)]: [] })),
    ...(who === "anyone" ? [{}] : []),
  ];
}

/** Its variants, whatever role its verifier may give, and what everybody holds. */
function mayHold(principal: string, role: string, { roleHierarchy }: AuthModel): boolean {
  if (isDelegatedRole(role)) return role.startsWith(`${principal}/`);
  const others: readonly string[] = [
    ...PSEUDO_ROLES,
    ...PLATFORM_ROLES,
    ...ORGANIZATION_ROLES,
    ...roleHierarchy,
  ];
  return role === "PUBLIC" || !others.includes(role);
}

function schemeName(principal: string): string {
  return `delegated-${principal}`;
}
