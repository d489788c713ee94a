/** Phase 4: which fields may be written (definitions 4.3). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";

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
