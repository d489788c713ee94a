/** Phase 4: roles and record conditions (definitions 4.2). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

export const ACCESS = {
  ROLE_WILDCARD: row<{ path: string }>({
    severity: "error",
    section: "definitions 4.2",
    title: 'A rule names the role "*"',
    message: ({ path }) => `Role "*" in ${quote(path)} does not exist`,
    hint: () => 'Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in',
  }),
  ROLE_OUTSIDE_HIERARCHY: row<{ role: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A rule expands a role that is not in the hierarchy",
    message: ({ role }) => `Role ${quote(role)} is not in auth.roleHierarchy and has no "+"`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ?? 'Add it to auth.roleHierarchy, or name the roles without "+"',
  }),
  ROLE_UNKNOWN: row<{ role: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A role is one slip away from a known one",
    message: ({ role }) => `Unknown role ${quote(role)}`,
    hint: didYouMean,
  }),
  ROLE_NAME: row<{ role: string }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A role has a name that no role can have",
    message: ({ role }) => `${quote(role)} cannot be a project role`,
    hint: () => "Use letters, digits, _, -, . and :, and no pseudo-role",
  }),
  OPERATOR_UNKNOWN: row<{ operator: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A condition has an operator that does not exist",
    message: ({ operator }) => `Unknown operator ${quote(operator)}`,
    hint: didYouMean,
  }),
  OPERATOR_MISPLACED: row<{ operator: string; column: string }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A condition orders values that have no order",
    message: ({ operator, column }) =>
      `Operator ${quote(operator)} does not apply to ${quote(column)} here`,
    hint: () => 'Use "equals" or "notEquals"',
  }),
  ACCESS_MISSING: row<{ operation: string }>({
    severity: "warning",
    section: "definitions 4.2",
    title: "An operation without access admits nobody",
    message: ({ operation }) => `${quote(operation)} has no access rule and admits nobody`,
    hint: () => "Add access: { roles: […] }",
  }),
} as const;
