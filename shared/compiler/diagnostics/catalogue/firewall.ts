/** Phase 4: who is isolated from whom (definitions 4.1). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

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
