/** Phase 4: roles and record conditions (definitions 4.2). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean, quotedWords, type WayOut, wayOut } from "../wording.ts";

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
  PRINCIPAL_UNKNOWN: row<{ role: string; nearest: string | null }>({
    severity: "error",
    section: "contract 5.6",
    title: "A rule names a delegated principal that the configuration does not have",
    message: ({ role }) => `Unknown delegated principal ${quote(role)}`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ??
        'Declare it in auth.principals; a rule names it as "<principal>/<variant>"',
  }),
  PRINCIPAL_NAME: row<{ name: string }>({
    severity: "error",
    section: "contract 5.6",
    title: "A delegated principal or a variant has a name that none can have",
    message: ({ name }) => `${quote(name)} cannot name a delegated principal or a variant`,
    hint: () => "Use up to 64 letters, digits, _ and -, beginning with a letter",
  }),
  PRINCIPAL_SCHEME_TAKEN: row<{ scheme: string; other: string }>({
    severity: "error",
    section: "contract 5.6",
    title: "Two delegated principals have one scheme",
    message: ({ scheme, other }) => `Scheme ${quote(scheme)} is already that of ${quote(other)}`,
    hint: () => "Give each principal a scheme of its own; case makes no difference",
  }),
  PRINCIPAL_VERIFIER_MISSING: row<{ path: string; nearest: string | null }>({
    severity: "error",
    section: "contract 5.6",
    title: "The verifier of a delegated principal is not there",
    message: ({ path }) => `Verifier ${quote(path)} is no file in quickback/services`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ?? 'Write its path from quickback/, such as "services/devices"',
  }),
  PRINCIPAL_VERIFIER_EXPORT: row<{ file: string }>({
    severity: "error",
    section: "contract 5.6",
    title: "A verifier's file exports no verifier",
    message: ({ file }) => `${quote(file)} exports neither "verify" nor a default`,
    hint: () => "Write export const verify = async (credential, { env, db }) => …",
  }),
  PLUGIN_WITHOUT_ORGANIZATIONS: row<{ plugin: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A plugin needs organizations in a project without them",
    message: ({ plugin }) => `Plugin ${quote(plugin)} needs organizations`,
    hint: () => "Remove it, or set features.organizations to true",
  }),
  OPERATOR_UNKNOWN: row<{ operator: string } & WayOut>({
    severity: "error",
    section: "definitions 4.2",
    title: "A condition has an operator that does not exist",
    message: ({ operator }) => `Unknown operator ${quote(operator)}`,
    hint: (details) => wayOut(quotedWords(details)),
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
