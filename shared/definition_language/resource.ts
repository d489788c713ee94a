/** Resources: tables with routes, their operations and views (definitions 3, 4, 4.5). `Name` is a column of the table. */
import { AUDIT_KEEP_DAYS, AUDIT_KEEP_DAYS_MAX, BATCH_SIZE_DEFAULT } from "../contract/mod.ts";
import { PAGE_SIZE_MIN } from "../contract/mod.ts";
import { AGGREGATE_FUNCTIONS, PERIODS } from "../model/mod.ts";
import { RATE_LIMITS } from "./config.ts";
import type { ActionName, ForeignKey, RoleName, TableName } from "./register.ts";
import { type AccessDefinition, type FirewallDefinition, guards, mask } from "./rules.ts";
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

/** Settings of batch writes. */
export function batch<Name extends string>() {
  return s.object({
    /** Callers who may write batches. Default: those who may write one record. */
    access: rule<Name>(),
    /** Most records in one request. */
    maxBatchSize: s.byDefault(s.integer(1), BATCH_SIZE_DEFAULT),
    /** A request may ask for all or nothing. */
    allowFailFast: s.byDefault(s.boolean, true),
  });
}

/** A write operation. An operation that is not declared does not exist. */
export function write<Name extends string>() {
  return s.object({
    /** Callers who may write. Without it nobody may. */
    access: rule<Name>(),
    /** Batch writes, on by default; `false`: there is no such route. */
    batch: s.either([s.oneOf([false]), batch<Name>()]),
    /** Action that runs in place of this operation. */
    action: s.word<ActionName>("an action"),
  });
}
export const WRITE = write<string>();

export function removal<Name extends string>() {
  return s.object({
    ...write<Name>().members,
    /** `soft` stamps `deletedAt` and hides the row, `hard` removes it. */
    mode: s.byDefault(s.oneOf(["soft", "hard"]), "soft"),
    /** Living rows that refer to a row keep it. Without it they are deleted along with it. */
    children: s.oneOf(["refuse"]),
    /** Soft-deleted rows can be listed with `deleted=only|with` and restored by `POST /{resource}/:id/restore`. */
    restore: s.object({
      /** Callers who may list and restore deleted rows. Without it nobody may. */
      access: rule<Name>(),
    }),
  });
}
export const REMOVAL = removal<string>();

/** An aggregation of a view over all matching rows that the caller may see, not only those of the page. */
export function aggregation<Name extends string>() {
  return s.object({
    /** Function to compute. */
    fn: s.required(s.oneOf(AGGREGATE_FUNCTIONS)),
    /** Column to aggregate. Only `count` works without one. */
    field: s.word<Name>("a column"),
  });
}
export const AGGREGATION = aggregation<string>();

/** A column to group by, with a period. */
export function groupKey<Name extends string>() {
  return s.object({
    /** The column. */
    field: s.required(s.word<Name>("a column")),
    /** Period of a date or an instant in UTC. Default: the value itself. */
    by: s.oneOf(PERIODS),
  });
}
export const GROUP_KEY = groupKey<string>();

/** Rows of another table whose foreign key refers to this one, under a name of their own. */
export const CHILDREN = s.object({
  /** The foreign key, as `"<table>.<column>"`. */
  from: s.required(s.text),
  /** Name in `include`, `included` and `where`. */
  as: s.required(s.text),
});

/** Related records that a request may include: by foreign keys of this table, and by keys of other tables that refer to it. */
type Include<Name extends string> = readonly (
  | Name
  | ForeignKey
  | { readonly from: ForeignKey; readonly as: string }
)[];

const include = <Name extends string>() =>
  s.ruled<Include<Name>>('foreign keys; of other tables as `"<table>.<column>"`');

/** A view: a narrower list with a URL of its own. */
export function view<Name extends string>() {
  return s.object({
    /** Columns that the view shows. */
    fields: s.ruled<readonly Name[]>("columns"),
    /** Columns to group by, in place of `fields`. The rows are then groups, each with its `aggregations`. */
    groupBy: s.ruled<readonly (Name | s.Written<typeof groupKey<Name>>)[]>(
      "columns, or `{ field, by }`",
    ),
    /** Callers who may read the view: of those who may read the resource, and roles that have the view alone. */
    access: rule<Name>(),
    /** Related records that a request may include. */
    include: include<Name>(),
    /** Columns that requests may filter, sort and search by. Default: all that the view shows. */
    query: s.object({
      /** Columns that a request may filter by. */
      filterable: s.ruled<readonly Name[]>("columns"),
      /** Columns that a request may sort by. */
      sortable: s.ruled<readonly Name[]>("columns"),
      /** Columns that `search` covers. */
      searchable: s.ruled<readonly Name[]>("text columns"),
      /** Order of rows when a request has no `sort`. */
      defaultSort: order<Name>(),
    }),
    /** Order of rows when a request has no `sort`. */
    defaultSort: order<Name>(),
    /** Aggregations over the rows, by name. */
    aggregations: s.map("names", aggregation<Name>()),
  });
}
export const VIEW = view<string>();

export interface ViewDefinition<Name extends string> extends s.Written<typeof view<Name>> {}

/** Reads of a resource: the list, single records and views. */
export function reading<Name extends string>() {
  return s.object({
    /** Callers who may read. */
    access: rule<Name>(),
    /** Views by name. */
    views: s.ruled<{ readonly [name: string]: ViewDefinition<Name> }>("views by name"),
    /** Related records that a request may include. */
    include: include<Name>(),
    /** View that the registry presents as the plain list. */
    defaultView: s.word("a view"),
    /** Accepted without effect. The contract fixes the page size. */
    pageSize: s.integer(PAGE_SIZE_MIN),
    /** Accepted without effect. The contract fixes the page size. */
    maxPageSize: s.integer(PAGE_SIZE_MIN),
  });
}
export const READING = reading<string>();

/** Behaviour of `search`. */
export function search<Name extends string>() {
  return s.object({
    /** `fullText`: finds words by their beginnings in an index, and returns the best matches first. */
    mode: s.required(s.oneOf(["fullText"])),
    /** Columns of the index. Default: all that `search` covers and nobody sees masked. */
    fields: s.ruled<readonly Name[]>("text columns"),
    /** Weights of columns, above 0 and up to 100. Default: 1. */
    weights: s.map<Name, s.Ruled<number>>("columns", s.ruled<number>("a number")),
  });
}
export const SEARCH = search<string>();

/** Frames about changed records. */
export function realtime<Name extends string>() {
  return s.object({
    /** Turns frames on. */
    enabled: s.boolean,
    /** A create makes a frame. */
    onInsert: s.byDefault(s.boolean, true),
    /** An update makes a frame. */
    onUpdate: s.byDefault(s.boolean, true),
    /** A delete makes a frame. */
    onDelete: s.byDefault(s.boolean, true),
    /** Roles that receive frames, among those who may read. Default: all of them. */
    roles: s.ruled<readonly RoleName[]>("roles"),
    /** The older name of `roles`. */
    requiredRoles: s.ruled<readonly RoleName[]>("roles"),
    /** Columns in a frame. Default: those that a read shows. */
    fields: s.ruled<readonly Name[]>("columns"),
  });
}
export const REALTIME = realtime<string>();

/** History of the records: who changed what, with old and new values. */
export function audit<Name extends string>() {
  return s.object({
    /** Callers who may read the history, among those who may read the record. Default: `admin` and `owner`. */
    access: rule<Name>(),
    /** Days for which a change is kept. */
    keepDays: s.byDefault(s.integer(1, AUDIT_KEEP_DAYS_MAX), AUDIT_KEEP_DAYS),
  });
}
export const AUDIT = audit<string>();

/** Columns of an index. */
export function index<Name extends string>() {
  return s.object({
    /** Columns of the index in this order. */
    columns: s.required(s.ruled<readonly Name[]>("columns")),
  });
}
export const INDEX = index<string>();

function writes<Name extends string>() {
  return {
    /** Create by `POST`. */
    create: write<Name>(),
    /** Update by `PATCH`. */
    update: write<Name>(),
    /** Deletion by `DELETE`. */
    delete: removal<Name>(),
    /** Create or replace by `PUT`. Requires `generateId: false` and `guards: false`. */
    upsert: write<Name>(),
    /** Another name of `upsert`. */
    put: write<Name>(),
  };
}

/** The members of a resource without its columns. */
export function resource<Name extends string>() {
  return s.object({
    /** Words about a record, for the API's description. Default: the table's doc comment. */
    description: s.text,
    /** Rows that a caller can reach. Default: it follows from the scope columns. */
    firewall: s.ruled<FirewallDefinition<Name>>(
      "predicates, named scopes or `{ exception: true }`",
    ),
    /** Answer for rows that the caller cannot reach: `reveal` is 403, `hide` is 404. */
    firewallErrorMode: s.byDefault(s.oneOf(["reveal", "hide"]), "reveal"),
    /** Columns that clients may write; `false`: all of them. */
    guards: s.either([s.oneOf([false]), guards<Name>()]),
    /** Masks by column. */
    masking: s.map<Name, ReturnType<typeof mask<Name>>>("columns", mask<Name>()),
    /** Reads: the list, single records and views. */
    read: reading<Name>(),
    ...writes<Name>(),
    /** The older place of the write operations. */
    crud: s.object(writes<Name>(), {
      replaced: { list: "read", get: "read", read: "read", views: "read.views" },
    }),
    /** Maps foreign-key columns to tables. Default: as `.references()` declares. */
    references: s.map<Name, s.Word<TableName>>("columns", s.word("a table")),
    /** Column that names a row for people. Default: `name`, `title`, `label` or `code`. */
    displayColumn: s.word<Name>("a column"),
    /** Order of rows when a request has no `sort`. Default: the newest first. */
    defaultSort: order<Name>(),
    /** Behaviour of `search`. Default: it finds substrings of its columns. */
    search: search<Name>(),
    /** Columns whose values together are unique among the live rows of a tenant. */
    unique: s.list(index<Name>()),
    /** Further indexes, beside those that the compiler makes automatically. */
    indexes: s.list(index<Name>()),
    /** Rate limits of a caller, by operation. */
    rateLimit: RATE_LIMITS,
    /** Allowed moves of a state column: column → from → to. */
    transitions: s.ruled<
      { readonly [Column in Name]?: { readonly [from: string]: readonly string[] } }
    >("columns, each with its moves"),
    /** Frames about changed records. */
    realtime: s.either([realtime<Name>(), s.boolean]),
    /** Keeps every change, in the transaction of the change. `GET /{resource}/:id/history` reads them. */
    audit: s.either([audit<Name>(), s.boolean]),
    /** A create may contain an id. Default: as the database's setting. */
    allowClientIds: s.boolean,
    /** Prefix of `prefixed` ids, without the underscore. */
    idPrefix: s.matching(/^[a-z][a-z0-9_]{0,31}$/, "lower-case letters, digits and _"),
    /** Copied to the schema registry unchanged. */
    inputHints: s.json,
    /** Copied to the schema registry unchanged. */
    layouts: s.json,
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

/** A resource without its columns. `Name` is a column of the table. */
export interface ResourceDefinition<Name extends string> extends s.Written<typeof resource<Name>> {}

/** A resource in one call, with its columns. */
export const FEATURE = s.object({
  /** Columns, by their API names. */
  columns: s.ruled<unknown>("columns"),
  ...RESOURCE.members,
}, { replaced: RESOURCE.replaced ?? {} });
