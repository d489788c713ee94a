/** A view mistake is told where it stands (definitions 4.5). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown field", 'short: { fields: ["titel"] },', [
    'COLUMN_UNKNOWN 5:19 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["no fields", "short: { fields: [] },", [
    'VIEW_EMPTY 5:1 View "short" has no fields | List at least one column',
  ]],
  ["fields are needed", "short: {},", [
    'KEY_MISSING 5:8 Key "fields" is missing in jobs.read.views.short',
  ]],
  ["an unknown key", 'short: { fields: ["title"], filterable: ["title"] },', [
    'UNKNOWN_KEY 5:29 Unknown key "filterable" in jobs.read.views.short | There are "fields", "groupBy", "access", "include", "query", "defaultSort", "aggregations"',
  ]],
  ["an include outside its fields", 'short: { fields: ["title"], include: ["customerId"] },', [
    `VIEW_FIELD_MISSING 5:39 Column "customerId" of "include" is not in the view's fields | Add it to "fields"`,
  ]],
  ["an include that is no foreign key", 'short: { fields: ["title"], include: ["title"] },', [
    'INCLUDE_NOT_KEY 5:39 Column "title" is no foreign key and cannot be included | Give it .references(() => table.id), or remove it here',
  ]],
  [
    "a filter outside its fields",
    'short: { fields: ["title"], query: { filterable: ["status"] } },',
    [`VIEW_FIELD_MISSING 5:51 Column "status" of "filterable" is not in the view's fields | Add it to "fields"`],
  ],
  [
    "a search outside its fields",
    'short: { fields: ["title"], query: { searchable: ["note"] } },',
    [`VIEW_FIELD_MISSING 5:51 Column "note" of "searchable" is not in the view's fields | Add it to "fields"`],
  ],
  ["an unknown query key", 'short: { fields: ["title"], query: { filters: ["title"] } },', [
    'UNKNOWN_KEY 5:38 Unknown key "filters" in jobs.read.views.short.query | There are "filterable", "sortable", "searchable", "defaultSort"',
  ]],
  ["a default sort by an unknown column", 'short: { fields: ["title"], defaultSort: "titel" },', [
    'COLUMN_UNKNOWN 5:42 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  [
    "two default sorts",
    'short: { fields: ["title"], defaultSort: "title", query: { defaultSort: "title" } },',
    ['KEY_TWICE 5:60 Key "defaultSort" repeats "query.defaultSort" | Keep one of the two'],
  ],
  [
    "an unknown aggregation",
    'short: { fields: ["title"], aggregations: { total: { fn: "summ", field: "amount" } } },',
    ['VALUE_UNKNOWN 5:58 "jobs.read.views.short.aggregations.total.fn" is "summ", expected one of "count", "sum", "avg", "min", "max" | Did you mean "sum"?'],
  ],
  [
    "a sum of a text",
    'short: { fields: ["title"], aggregations: { total: { fn: "sum", field: "title" } } },',
    ['AGGREGATION_TYPE 5:72 Aggregation sum does not apply to column "title" of type text'],
  ],
  ["a sum of nothing", 'short: { fields: ["title"], aggregations: { total: { fn: "sum" } } },', [
    'KEY_MISSING 5:52 Key "field" is missing in jobs.read.views.short.aggregations.total',
  ]],
  [
    "an aggregation of an unknown column",
    'short: { fields: ["title"], aggregations: { total: { fn: "min", field: "amont" } } },',
    ['COLUMN_UNKNOWN 5:72 Unknown column "amont" of table "jobs" | Did you mean "amount"?'],
  ],
  [
    "two views with one segment",
    'shortList: { fields: ["title"] }, "short-list": { fields: ["title"] },',
    ['VIEW_SEGMENT_TAKEN 5:35 Views "short-list" and "shortList" have the same URL segment "short-list" | Rename one of them'],
  ],
  ["a name that is no name", '"short list": { fields: ["title"] },', [
    `VIEW_NAME 5:1 "short list" cannot be a view's name | Use camelCase, and no name that every object has already`,
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Views: ${title}`, () => {
    const read = `read: { access: { roles: ["agent+"] }, views: {\n${source}\n} },`;
    assertEquals(toldOf(withResource(read).errors), expected);
  });
}
