/** Resources: tables with routes, their operations and views (definitions 3, 4, 4.5). `Name` is a column of the table. */
import { AUDIT_KEEP_DAYS, AUDIT_KEEP_DAYS_MAX, BATCH_SIZE_DEFAULT } from "../contract/mod.ts";
import { type JsonValue, PAGE_SIZE_MIN } from "../contract/mod.ts";
import { AGGREGATE_FUNCTIONS, PERIODS } from "../model/mod.ts";
import { RATE_LIMITS } from "./config.ts";
import type { ActionName, RoleName, TableName } from "./register.ts";
import { type AccessDefinition, type FirewallDefinition, guards, MASK } from "./rules.ts";
import * as s from "./shape.ts";

const rule = <Name extends string>() => s.ruled<AccessDefinition<Name>>("an access rule");

/** A sort field as an object. */
export function sort<Name extends string>() {
  return s.object({
    /** The column. */
    field: s.required(s.word<Name>("a column")),
    /** Direction. */
    order: s.byDefault(s.oneOf(["asc", "desc"]), "asc"),
  });
}
export const SORT = sort<string>();

export type SortDefinition<Name extends string> =
  | Name
  | `-${Name}`
  | s.Written<typeof sort<Name>>;

const order = <Name extends string>() =>
  s.ruled<SortDefinition<Name>>('`"-createdAt"`, or `{ field, order }`');

/** Many records in one request. */
export function batch<Name extends string>() {
  return s.object({
    /** Callers who may; by default those who may write one. */
    access: rule<Name>(),
    /** Records of one request. */
    maxBatchSize: s.byDefault(s.integer(1), BATCH_SIZE_DEFAULT),
    /** A request may ask for all or nothing. */
    allowFailFast: s.byDefault(s.boolean, true),
  });
}

/** A write operation. One that is not written down does not exist. */
export function write<Name extends string>() {
  return s.object({
    /** Callers who may; without it nobody may. */
    access: rule<Name>(),
    /** Many records in one request, on by default; `false`: there is no such route. */
    batch: s.either([s.oneOf([false]), batch<Name>()]),
    /** Action that this verb runs instead. */
    action: s.word<ActionName>("an action"),
  });
}
export const WRITE = write<string>();

export function removal<Name extends string>() {
  return s.object({
    ...write<Name>().members,
    /** `soft` stamps `deletedAt` and hides the row, `hard` removes it. */
    mode: s.byDefault(s.oneOf(["soft", "hard"]), "soft"),
    /** Soft-deleted rows are shown with `deleted=only|with`, and come back by `POST /{resource}/:id/restore`. */
    restore: s.object({
      /** Callers who may; without it nobody may. */
      access: rule<Name>(),
    }),
  });
}
export const REMOVAL = removal<string>();

/** An aggregation of a view: over every row that the caller may see and that matches, not only the page. */
export function aggregation<Name extends string>() {
  return s.object({
    /** Function that is worked out. */
    fn: s.required(s.oneOf(AGGREGATE_FUNCTIONS)),
    /** The column; only `count` does without. */
    field: s.word<Name>("a column"),
  });
}
export const AGGREGATION = aggregation<string>();

/** A column of a group, by a period. */
export function groupKey<Name extends string>() {
  return s.object({
    /** The column. */
    field: s.required(s.word<Name>("a column")),
    /** Period of a date or an instant, in UTC. */
    by: s.oneOf(PERIODS),
  });
}
export const GROUP_KEY = groupKey<string>();

/** Rows of another table whose foreign key refers to this one, under another name than that of their table. */
export const CHILDREN = s.object({
  /** The key, as `"<table>.<column>"`. */
  from: s.required(s.text),
  /** Name in `include`, `included` and `where`. */
  as: s.required(s.text),
});

/** Records that a request may ask for along with one: by its own foreign keys, and by keys of other tables that refer to it. */
type Include<Name extends string> = readonly (
  | Name
  | `${string}.${string}`
  | { readonly from: `${string}.${string}`; readonly as: string }
)[];

const include = <Name extends string>() =>
  s.ruled<Include<Name>>('foreign keys; of other tables as `"<table>.<column>"`');

/** A view: a narrower read with a URL of its own. */
export function view<Name extends string>() {
  return s.object({
    /** Columns that it shows. */
    fields: s.ruled<readonly Name[]>("columns"),
    /** Columns whose values make a group; rows are then groups, each with its `aggregations`. In place of `fields`. */
    groupBy: s.ruled<readonly (Name | s.Written<typeof groupKey<Name>>)[]>(
      "columns, or `{ field, by }`",
    ),
    /** Callers who may, among those who may read the resource. */
    access: rule<Name>(),
    /** Foreign keys whose records a request may ask for. */
    include: include<Name>(),
    /** Columns that requests may ask by; by default all that it shows. */
    query: s.object({
      /** Columns that a request may filter by. */
      filterable: s.ruled<readonly Name[]>("columns"),
      /** Columns that a request may sort by. */
      sortable: s.ruled<readonly Name[]>("columns"),
      /** Columns that `search` covers. */
      searchable: s.ruled<readonly Name[]>("text columns"),
      /** Order of rows where a request does not say. */
      defaultSort: order<Name>(),
    }),
    /** Order of rows where a request does not say. */
    defaultSort: order<Name>(),
    /** Numbers about the rows, by name. */
    aggregations: s.map("names", aggregation<Name>()),
  });
}
export const VIEW = view<string>();

export interface ViewDefinition<Name extends string> extends s.Written<typeof view<Name>> {}

/** Reads of a resource. */
export function reading<Name extends string>() {
  return s.object({
    /** Callers who may. */
    access: rule<Name>(),
    /** Narrower reads, by name. */
    views: s.ruled<{ readonly [name: string]: ViewDefinition<Name> }>("views by name"),
    /** Foreign keys whose records a request may ask for. */
    include: include<Name>(),
    /** View that stands for the plain list in the registry. */
    defaultView: s.word("a view"),
    /** Accepted; the page size is the contract's. */
    pageSize: s.integer(PAGE_SIZE_MIN),
    /** Accepted; the page size is the contract's. */
    maxPageSize: s.integer(PAGE_SIZE_MIN),
  });
}
export const READING = reading<string>();

/** How `search` finds records. */
export function search<Name extends string>() {
  return s.object({
    /** `fullText`: words by their beginnings in an index, the best first. */
    mode: s.required(s.oneOf(["fullText"])),
    /** Columns of the index; by default all that `search` covers and nobody sees masked. */
    fields: s.ruled<readonly Name[]>("text columns"),
    /** Weights of columns, from above 0 to 100; by default 1. */
    weights: s.map<Name, s.Ruled<number>>("columns", s.ruled<number>("a number")),
  });
}
export const SEARCH = search<string>();

/** Frames about changed records. */
export function realtime<Name extends string>() {
  return s.object({
    /** There are frames. */
    enabled: s.boolean,
    /** A create makes one. */
    onInsert: s.byDefault(s.boolean, true),
    /** An update makes one. */
    onUpdate: s.byDefault(s.boolean, true),
    /** A delete makes one. */
    onDelete: s.byDefault(s.boolean, true),
    /** Subscribers that get them, among those who may read; by default all of them. */
    roles: s.ruled<readonly RoleName[]>("roles"),
    /** The older name of `roles`. */
    requiredRoles: s.ruled<readonly RoleName[]>("roles"),
    /** Columns in a frame; by default those that a read shows. */
    fields: s.ruled<readonly Name[]>("columns"),
  });
}
export const REALTIME = realtime<string>();

/** The history of records: who changed which of them, from what to what. */
export function audit<Name extends string>() {
  return s.object({
    /** Callers who may read it, among those who may read the record; by default `admin` and `owner`. */
    access: rule<Name>(),
    /** Days that a change is kept. */
    keepDays: s.byDefault(s.integer(1, AUDIT_KEEP_DAYS_MAX), AUDIT_KEEP_DAYS),
  });
}
export const AUDIT = audit<string>();

/** Columns of an index. */
export function index<Name extends string>() {
  return s.object({
    /** In this order. */
    columns: s.required(s.ruled<readonly Name[]>("columns")),
  });
}
export const INDEX = index<string>();

function writes<Name extends string>() {
  return {
    /** `POST`. */
    create: write<Name>(),
    /** `PATCH`. */
    update: write<Name>(),
    /** `DELETE`. */
    delete: removal<Name>(),
    /** `PUT`; needs `generateId: false` and `guards: false`. */
    upsert: write<Name>(),
    /** The same as `upsert`. */
    put: write<Name>(),
  };
}

/** Everything about a resource but its columns. */
export function resource<Name extends string>() {
  return s.object({
    /** Words about a record, for the API's description; without it, the doc comment of the table. */
    description: s.text,
    /** Rows that a caller can reach. Left out, it follows from the scope columns. */
    firewall: s.ruled<FirewallDefinition<Name>>(
      "predicates, named scopes or `{ exception: true }`",
    ),
    /** Answer for rows behind the firewall: `reveal` 403, `hide` 404. */
    firewallErrorMode: s.byDefault(s.oneOf(["reveal", "hide"]), "reveal"),
    /** Fields that clients may write; `false`: every column. */
    guards: s.either([s.oneOf([false]), guards<Name>()]),
    /** Masks, by column. */
    masking: s.map<Name, typeof MASK>("columns", MASK),
    /** `GET`. */
    read: reading<Name>(),
    ...writes<Name>(),
    /** The older place of the write operations. */
    crud: s.object(writes<Name>(), {
      replaced: { list: "read", get: "read", read: "read", views: "read.views" },
    }),
    /** Foreign-key column → table; by default from `.references()`. */
    references: s.map<Name, s.Word<TableName>>("columns", s.word("a table")),
    /** Column that stands for a row; by default `name`, `title`, `label` or `code`. */
    displayColumn: s.word<Name>("a column"),
    /** Order of rows where a request does not say; by default the newest first. */
    defaultSort: order<Name>(),
    /** How `search` finds records; by default by substrings of its columns. */
    search: search<Name>(),
    /** Columns that no two live rows of a tenant share. */
    unique: s.list(index<Name>()),
    /** Indexes, besides those made without asking. */
    indexes: s.list(index<Name>()),
    /** Limits of a caller, by operation. */
    rateLimit: RATE_LIMITS,
    /** Moves of a state field: column → from → to. */
    transitions: s.ruled<
      { readonly [Column in Name]?: { readonly [from: string]: readonly string[] } }
    >("columns, each with its moves"),
    /** Frames about changed records. */
    realtime: s.either([realtime<Name>(), s.boolean]),
    /** Every change is kept, in the transaction of the change, and read by `GET /{resource}/:id/history`. */
    audit: s.either([audit<Name>(), s.boolean]),
    /** A create may bring its own id; by default as the database says. */
    allowClientIds: s.boolean,
    /** Prefix of `prefixed` ids, without the underscore. */
    idPrefix: s.matching(/^[a-z][a-z0-9_]{0,31}$/, "lower-case letters, digits and _"),
    /** Passed to the schema registry unchanged. */
    inputHints: s.ruled<JsonValue>("any JSON value"),
    /** Passed to the schema registry unchanged. */
    layouts: s.ruled<JsonValue>("any JSON value"),
  }, {
    replaced: {
      views: "read.views",
      list: "read",
      get: "read",
      exception: "firewall: { exception: true }",
    },
  });
}
export const RESOURCE = resource<string>();

/** Everything about a resource but its columns; `Name` is a column of the table. */
export interface ResourceDefinition<Name extends string> extends s.Written<typeof resource<Name>> {}

/** A resource in one call. */
export const FEATURE = s.object({
  /** Columns, by their API names. */
  columns: s.ruled<unknown>("columns"),
  ...RESOURCE.members,
}, { replaced: RESOURCE.replaced ?? {} });
