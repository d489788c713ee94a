/**
 * Normalizes roles in requests. Each has one spelling, so that the role that is checked is the role that is stored (definitions
 * 7, "auth routes").
 */
import { z } from "zod";
import { accountRoleNames, memberRoleNames, type ProjectModel } from "../../model/mod.ts";
import type { AuthOperation } from "./operation.ts";

/** Limit of the roles that one request may name. */
const ROLES_MAX = 10;

/** Returns the route with the project's own roles as the values of its member `role`, if it has one. */
export function withNamedRoles(operation: AuthOperation, project: ProjectModel): AuthOperation {
  const { body, path } = operation;
  const declared = body?.shape["role"];
  if (!body || !(declared instanceof z.ZodType)) return operation;
  const isOfMember = path.startsWith("/organization/");
  const known = isOfMember ? memberRoleNames(project.auth) : accountRoleNames(project);
  const role = namedRoles(known);
  return {
    ...operation,
    body: body.extend({ role: declared.isOptional() ? role.optional() : role }),
  };
}

/**
 * Returns the schema of a list of exact names, or of one text with commas. The value is a list that contains each name once.
 */
function namedRoles(known: readonly string[]) {
  const name = known.map((role) => role.replaceAll(".", "\\.")).join("|");
  const error = `Must be at most ${ROLES_MAX} of these roles, as a list or with commas: ${
    known.join(", ")
  }`;
  return z.union([
    z.string({ error }).regex(
      new RegExp(`^(?:${name})(?:,(?:${name})){0,${ROLES_MAX - 1}}$`),
      { error },
    ),
    z.array(z.enum(known, { error }), { error }).min(1, { error }).max(ROLES_MAX, { error }),
  ], { error })
    .transform((roles) => [...new Set(typeof roles === "string" ? roles.split(",") : roles)])
    .meta({
      description: `One role, or a list: ${known.join(", ")}.`,
      examples: [known.includes("member") ? "member" : known[0]],
    });
}
