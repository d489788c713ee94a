/** Phase 4: views and what reads may include (definitions 4.5). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

export const VIEWS = {
  VIEW_NAME: row<{ view: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view has a name that no view can have",
    message: ({ view }) => `${quote(view)} cannot be a view's name`,
    hint: () => "Use camelCase",
  }),
  VIEW_SEGMENT_TAKEN: row<{ name: string; other: string; segment: string }>({
    severity: "error",
    section: "contract 4.2",
    title: "Two views of a resource have one URL segment",
    message: ({ name, other, segment }) =>
      `Views ${quote(name)} and ${quote(other)} have the same URL segment ${quote(segment)}`,
    hint: () => "Rename one of them",
  }),
  VIEW_UNKNOWN: row<{ view: string; nearest: string | null }>({
    severity: "error",
    section: "contract 4.2",
    title: "The default view does not exist",
    message: ({ view }) => `Unknown view ${quote(view)}`,
    hint: didYouMean,
  }),
  VIEW_EMPTY: row<{ view: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view has no fields",
    message: ({ view }) => `View ${quote(view)} has no fields`,
    hint: () => "List at least one column",
  }),
  VIEW_FIELD_MISSING: row<{ column: string; key: string }>({
    severity: "error",
    section: "contract 2.12",
    title: "A view uses a column that it does not show",
    message: ({ column, key }) =>
      `Column ${quote(column)} of ${quote(key)} is not in the view's fields`,
    hint: () => 'Add it to "fields"',
  }),
  VIEW_ROLE_OUTSIDE: row<{ role: string; allowed: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view admits a role that may not read the resource",
    message: ({ role, allowed }) =>
      `Role ${quote(role)} is not among the read roles of the resource: ${allowed}`,
    hint: () => "Add it to read.access, or remove it here",
  }),
  INCLUDE_NOT_KEY: row<{ column: string }>({
    severity: "error",
    section: "contract 4.3",
    title: "An include names a column that is no foreign key",
    message: ({ column }) => `Column ${quote(column)} is no foreign key and cannot be included`,
    hint: () => "Give it .references(() => table.id), or remove it here",
  }),
  SEARCH_TYPE: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view searches a column that holds no text",
    message: ({ column, type }) => `Column ${quote(column)} of type ${type} cannot be searched`,
    hint: () => "List text, url and enum columns; others are filtered",
  }),
  AGGREGATION_TYPE: row<{ fn: string; column: string; type: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "An aggregation does not apply to its column",
    message: ({ fn, column, type }) =>
      `Aggregation ${fn} does not apply to column ${quote(column)} of type ${type}`,
  }),
} as const;
