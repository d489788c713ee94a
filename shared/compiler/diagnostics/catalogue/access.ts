/** Lists the codes of phase 4 about the rows and fields that a caller reaches (definitions 4.1 to 4.4). */
import { didYouMean, listed, quote, quotedWords, type WayOut, wayOut } from "../wording.ts";
import { row } from "../diagnostic.ts";

/** Codes about roles and record conditions (definitions 4.2). */
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
  ROLE_UNKNOWN: row<{ role: string; nearest: string | null; known: readonly string[] }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A rule names a role that the configuration does not list",
    message: ({ role, known }) =>
      `Unknown role ${quote(role)}${
        known.length === 0 ? "" : `, expected one of ${listed(known.map(quote))}`
      }`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ?? "Add it to auth.roles, or to auth.roleHierarchy at its rank",
  }),
  ROLE_SUSPECT: row<{ role: string; nearest: string }>({
    severity: "warning",
    section: "definitions 4.2",
    title: "A role stands once and is spelt almost like another one",
    message: ({ role, nearest }) =>
      `Role ${quote(role)} stands nowhere else and is almost ${quote(nearest)}`,
    hint: ({ nearest }) => `Write ${quote(nearest)}, or list the project's roles in auth.roles`,
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

/** Codes about masked columns (definitions 4.4). */
export const MASKING = {
  MASK_MISPLACED: row<{ column: string; type: string; mask: string }>({
    severity: "error",
    section: "definitions 4.4",
    title: "A mask stands on a column that it cannot mask",
    message: ({ column, type, mask }) =>
      `Column ${quote(column)} of type ${type} cannot be masked as ${quote(mask)}`,
    hint: ({ mask }) =>
      mask === "redact"
        ? "Masks apply to what a client may write, not to ids, scopes and revisions"
        : `${quote(mask)} applies to text, url and enum columns; other columns take "redact"`,
  }),
  MASK_AUTOMATIC: row<{ column: string; mask: string }>({
    severity: "warning",
    section: "definitions 4.4",
    title: "A column with a sensitive name is masked although nobody asked",
    message: ({ column, mask }) =>
      `Column ${quote(column)} is masked as ${quote(mask)} by its name`,
    hint: ({ column }) => `Write a rule for it: masking: { ${column}: { type: …, show: … } }`,
  }),
} as const;

/** Codes about fields that may be written (definitions 4.3). */
export const GUARDS = {
  GUARD_MANAGED: row<{ column: string; manager: string }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A guard lists a column that the service writes itself",
    message: ({ column, manager }) =>
      `Column ${quote(column)} is written by the service (${manager}) and cannot be guarded`,
    hint: () => "Remove it from the list",
  }),
  GUARD_CONFLICT: row<{ field: string; listed: string; other: string }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A field stands in two lists that exclude each other",
    message: ({ field, listed, other }) =>
      `Field ${quote(field)} is ${listed} and ${other} at once`,
    hint: () => "Keep it in one of the two",
  }),
  GUARDS_OFF: row<{ column: string }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A column is protected or immutable while guards are off",
    message: ({ column }) => `Column ${quote(column)} is guarded, but guards are false`,
    hint: () => "Remove the modifier, or write guards",
  }),
  GUARDS_MISSING: row<{ table: string; columns: string }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A resource can be created but has no guards that say with which fields",
    message: ({ table, columns }) =>
      `Resource ${
        quote(table)
      } has no guards, so no create can set its required columns: ${columns}`,
    hint: () => "Add guards: { createable: […] }",
  }),
  REQUIRED_NOT_CREATEABLE: row<{ column: string }>({
    severity: "error",
    section: "definitions 4.3",
    title: "No create may set a required column without default",
    message: ({ column }) => `Required column ${quote(column)} can be set by no create`,
    hint: () => "Add it to guards.createable, give it a default, or make it optional",
  }),
} as const;

/** Codes about rules that follow relations (docs/decisions/relations.md). */
export const RELATION = {
  RELATION_UNKNOWN: row<{
    relation: string;
    table: string;
    isColumn: boolean;
    fitting: readonly string[];
    nearest: string | null;
    known: readonly string[];
  }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A rule follows a relation that does not exist",
    message: ({ relation, table, isColumn, fitting }) =>
      isColumn
        ? `${quote(relation)} is a column of table ${quote(table)}, and no relation`
        : fitting.length > 1
        ? `${quote(relation)} refers to table ${quote(table)} by several keys`
        : `Unknown relation ${quote(relation)} of table ${quote(table)}`,
    hint: ({ fitting, nearest, known }) =>
      fitting.length > 1
        ? `Write one of ${listed(fitting.map(quote))}`
        : wayOut(quotedWords({ form: null, nearest, known })),
  }),
  RELATION_QUANTIFIER: row<{
    relation: string;
    direction: "parent" | "children";
    found: readonly string[];
  }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A relation of a firewall has the wrong conditions",
    message: ({ relation, direction, found }) =>
      `${quote(relation)} ${
        direction === "parent" ? "is one row and takes" : "is many rows and needs"
      } ${direction === "parent" ? "where or nothing" : "exactly one of some and none"}, not ${
        found.length === 0 ? "nothing" : listed(found)
      }`,
    hint: ({ relation, direction }) =>
      direction === "parent"
        ? `Write { through: ${quote(relation)}, where: { … } }`
        : `Write { through: ${quote(relation)}, some: { … } }`,
  }),
  RELATION_CIRCLE: row<{ circle: readonly string[] }>({
    severity: "error",
    section: "definitions 4.1",
    title: "Firewalls go through each other in a circle",
    message: ({ circle }) => `"through" leads in a circle: ${circle.join(" → ")}`,
    hint: () => "Say on one of these tables by its own columns whose rows they are, or write where",
  }),
  RELATION_DEPTH: row<{ table: string; way: readonly string[] }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A rule follows too many relations in a row",
    message: ({ table, way }) =>
      `A rule of ${quote(table)} follows ${way.length} keys in a row: ${way.join(" → ")}`,
    hint: () => "Three keys are the most: give the table a key of its own to what is asked",
  }),
  RULE_TOO_LARGE: row<{ table: string; comparisons: number; relations: number }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A rule asks too much",
    message: ({ table, comparisons, relations }) =>
      `A rule of ${
        quote(table)
      } asks ${comparisons} comparisons and ${relations} relations, where 50 and 8 are the most`,
    hint: () => "Keep what is asked together in a column of the table",
  }),
  RELATION_UNSCOPED: row<{ relation: string; table: string; unscoped: string }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A rule follows a relation to rows of no tenant",
    message: ({ relation, table, unscoped }) =>
      `Relation ${quote(relation)} of ${quote(table)} leaves the tenant: ${
        quote(unscoped)
      } has no organization column`,
    hint: ({ unscoped }) => `Add q.scope("organization") to ${quote(unscoped)}`,
  }),
  CONTEXT_SPELLING: row<{ path: string; value: string }>({
    severity: "error",
    section: "definitions 4.2",
    title: "A condition spells a value of the caller as a firewall does",
    message: ({ path, value }) => `${quote(value)} in ${quote(path)} is no value of the caller`,
    hint: ({ value }) => `Write ${quote(`$${value}`)}`,
  }),
  FIREWALL_ROLE_NARROWS: row<
    { table: string; roles: readonly string[]; others: readonly string[] }
  >({
    severity: "warning",
    section: "definitions 4.1",
    title: "A predicate for a role narrows callers who hold another one too",
    message: ({ table, roles, others }) =>
      `Whoever holds ${listed(roles)} and also ${listed(others)} sees fewer rows of ${
        quote(table)
      } than with ${others.length === 1 ? "that role" : "one of those"} alone`,
    hint: ({ roles, others }) =>
      `Write { anyOf: [{ roles: [${others.map(quote).join(", ")}] }, { …, roles: [${
        roles.map(quote).join(", ")
      }] }] }`,
  }),
} as const;

/** Codes about the isolation of tenants and users (definitions 4.1). */
export const FIREWALL = {
  ISOLATION_MISSING: row<{ table: string; isInternal: boolean; userColumn: string | null }>({
    severity: "error",
    section: "definitions 4.1",
    title: "Nothing isolates the rows of a table",
    message: ({ table }) => `No column isolates the rows of ${quote(table)} by its caller`,
    hint: ({ isInternal, userColumn }) =>
      userColumn !== null && !isInternal
        ? `Write ownerId: q.scope("owner"), which is stamped; or, for a column that clients fill, firewall: [{ field: ${
          quote(userColumn)
        }, equals: "ctx.userId" }]`
        : `Add q.scope("organization") or q.scope("owner"), or say ${
          isInternal
            ? "that its rows are everybody's: defineTable(table, { exception: true }), " +
              "or { exception: true } after the columns of q.table()"
            : "firewall: { exception: true }"
        }`,
  }),
  EXCEPTION_WITH_SCOPE: row<{ table: string; column: string }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A table with a scope column is excepted from the firewall",
    message: ({ table, column }) =>
      `Table ${quote(table)} has the scope column ${quote(column)} and cannot be an exception`,
    hint: () => "Remove the exception, or the column",
  }),
  CASCADE_NARROWER: row<{ child: string; parent: string; only: string }>({
    severity: "warning",
    section: "contract 3.1",
    title: "Deleting a row can leave rows behind that refer to it",
    message: ({ child, parent, only }) =>
      `Deleting a row of ${quote(parent)} leaves those rows of ${
        quote(child)
      } behind that its caller may not touch: it reaches only where ${only}`,
    hint: ({ child, parent }) =>
      `Give both the same scope, or delete what is left of ${quote(child)} in an action of ${
        quote(parent)
      }`,
  }),
  RESTRICT_SOFT: row<{ column: string; target: string }>({
    severity: "warning",
    section: "contract 3.1",
    title: 'onDelete "restrict" keeps no row that is deleted softly',
    message: ({ column, target }) =>
      `A soft delete of a row of ${quote(target)} deletes the rows along with it that ${
        quote(column)
      } refers from`,
    hint: ({ target }) =>
      `Write delete: { children: "refuse" } in ${
        quote(target)
      }, so that living rows keep it, or leave the onDelete out`,
  }),
  ACCOUNT_UNSCOPED: row<{ column: string; table: string }>({
    severity: "error",
    section: "definitions 3",
    title: "An account is named by rows of no organization",
    message: ({ column, table }) =>
      `Column ${quote(column)} names a member of the row's organization, and rows of ${
        quote(table)
      } belong to none`,
    hint: () => 'Add q.scope("organization"), or write q.text() for an id that nobody judges',
  }),
  ACCOUNT_SET_NULL_REQUIRED: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: 'A required account has onMemberRemoved "setNull"',
    message: ({ column }) => `Column ${quote(column)} is required and cannot be set to null`,
    hint: () => 'Make it optional, or choose onMemberRemoved "keep" or "restrict"',
  }),
  ACCOUNT_REMOVAL_APART: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "Rows in another database than the accounts let go of members",
    message: ({ column }) =>
      `Column ${
        quote(column)
      } has an onMemberRemoved, and rows of organizations stand in other databases than accounts`,
    hint: () => 'Leave onMemberRemoved out, or write tenancy: "shared"',
  }),
  PREDICATE_COMPARISON: row<{ path: string }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A predicate has no comparison, or several",
    message: ({ path }) => `${quote(path)} needs exactly one of equals, in and isNull`,
  }),
  PREDICATE_PUBLIC: row<{ key: string }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A predicate names a role that everybody has",
    message: ({ key }) => `"PUBLIC" in ${quote(key)} covers every caller`,
    hint: () => "Remove the predicate, or name the roles that are meant",
  }),
  CONTEXT_VALUE_UNKNOWN: row<{ value: string; known: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A condition takes a value of the caller that does not exist",
    message: ({ value, known }) => `Unknown value ${quote(`ctx.${value}`)}, expected ${known}`,
    hint: ({ nearest }) => nearest === null ? null : didYouMean({ nearest: `ctx.${nearest}` }),
  }),
  OPERAND_TYPE: row<
    { column: string; expected: string; found: string; nearest: string | null }
  >({
    severity: "error",
    section: "definitions 4.2",
    title: "A condition compares a column with a value of another type",
    message: ({ column, expected, found }) =>
      `Column ${quote(column)} is compared with ${found}, expected ${expected}`,
    hint: didYouMean,
  }),
} as const;
