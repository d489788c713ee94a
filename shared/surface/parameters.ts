/**
 * Lists every query parameter that an operation knows. The readers, which refuse all others, and OpenAPI share this table
 * (contract 4.3).
 */
import { CONDITION_OPERATORS, CONTRACT_VERSIONS, RESERVED_PARAMETERS } from "../contract/mod.ts";
import { TEXT_PATTERN } from "../contract/mod.ts";
import * as limits from "../contract/limits.ts";
import { FILTER_OPERATORS, filterOperator, FOLDED_TEXTS, rulesOf } from "../column_types/mod.ts";
import { valuesOf } from "../column_types/mod.ts";
import type { FilterOperator, ValueType } from "../column_types/mod.ts";
import type { ColumnModel, ProjectModel, TableModel } from "../model/mod.ts";
import { SEARCH_PATTERN, SEARCH_WORDS_MAX } from "./full_text.ts";
import { isPublic } from "./admission.ts";
import { embeddablesOf } from "./embeddables.ts";
import { restoreRuleOf } from "./grants.ts";
import type { Operation } from "./operations.ts";
import { nearParameters } from "./near.ts";
import { recordColumns, tableOf } from "./tables.ts";
import { whereScope } from "./where.ts";
import { Parameter } from "./parameter.ts";

export type { JsonSchema } from "../contract/mod.ts";

/** The query parameter that identifies a tenant (contract 5, definitions 7). */
export const SCOPE_PARAMETER = "organizationId";

/** Returns all query parameters of an operation, in the order of contract 4.3. */
export function parametersOf(operation: Operation, project: ProjectModel): readonly Parameter[] {
  const table = tableOf(operation.resource, project);
  switch (operation.kind) {
    case "list":
    case "view": {
      const groupBy = operation.view?.groupBy ?? null;
      const sortable = groupBy === null
        ? columnsAllowed(operation.view?.sortable, operation, table)
          .filter(({ type }) => !rulesOf(type).isList).map(({ name }) => name)
        : operation.view?.sortable ?? [];
      const filterable = columnsAllowed(operation.view?.filterable, operation, table);
      // A view's own list may name any column of text. Without a list, the columns are the text columns that the operation
      // shows.
      const listed = operation.view?.searchable ?? null;
      const { search } = operation.resource;
      const searchable = columnsAllowed(listed, operation, table).filter((column) => {
        if (search) return search.columns.some((one) => one.column === column.name);
        return listed === null ? column.searchable : valuesOf(column, table).hasText;
      });
      const scope = publicScope(operation, table);
      const deleted = restoreRuleOf(operation.resource) === null ? [] : [DELETED];
      const near = operation.kind === "list" ? nearParameters(table) : [];
      const filters = filterable.flatMap((column) => {
        const values = valuesOf(column, table);
        return FILTER_OPERATORS
          .filter((operator) => {
            const { needsText, needsCase } = filterOperator(operator);
            return (values.hasText || !needsText) && (values.hasCase || !needsCase);
          })
          .filter((operator) => column.filters?.includes(operator) ?? true)
          .filter((operator) =>
            operator !== "eq" || !(RESERVED_PARAMETERS as readonly string[]).includes(column.name)
          )
          .map((operator) => filterParameter(column, { operator, values, table }));
      })
        .filter((filter) =>
          ![...scope, ...deleted, ...near].some(({ name }) => name === filter.name)
        );
      return [
        LIMIT,
        OFFSET,
        ...(sortable.length > 0 ? [sortParameter(sortable)] : []),
        ORDER,
        ...(groupBy === null ? [fieldsParameter(operation, table, project)] : []),
        TOTAL,
        ...(searchable.length > 0 ? [searchParameter(searchable, search !== undefined)] : []),
        STARTING_AFTER,
        ENDING_BEFORE,
        ...includeParameters(operation, project),
        ...whereParameter(operation, filterable, project),
        ...near,
        ...deleted,
        ...scope,
        ...filters,
      ];
    }
    case "history":
      return [LIMIT, STARTING_AFTER, ENDING_BEFORE, ...publicScope(operation, table)];
    case "get":
      return [
        fieldsParameter(operation, table, project),
        ...includeParameters(operation, project),
        ...publicScope(operation, table),
      ];
    default:
      return publicScope(operation, table);
  }
}

/** Returns the columns of an operation's response if `fields` does not narrow them, in output order. */
export function outputColumns(operation: Operation, table: TableModel): readonly string[] {
  return operation.view ? operation.view.fields : recordColumns(table).map((column) => column.name);
}

/** Returns the columns of a view's allow-list; without one, all that the operation shows (definitions 3, 4.5). */
function columnsAllowed(
  allowed: readonly string[] | null | undefined,
  operation: Operation,
  table: TableModel,
): readonly ColumnModel[] {
  const names = allowed ?? outputColumns(operation, table);
  return table.columns.filter((column) => names.includes(column.name));
}

/** Returns the parameter with which a PUBLIC caller, who has no active organization, names one in reads and writes. */
export function publicScope(
  operation: Pick<Operation, "access">,
  table: TableModel,
): readonly Parameter[] {
  const column = table.scope.organization;
  return column !== null && isPublic(operation.access) ? [scopeParameter(column)] : [];
}

function scopeParameter(column: string): Parameter {
  return {
    name: SCOPE_PARAMETER,
    use: { kind: "scope", column },
    description:
      "Organization whose records are meant. Callers without an active organization must name one; others name their own, or any whose records everybody may read.",
    schema: { type: "string", pattern: TEXT_PATTERN, minLength: 1 },
  };
}

function filterParameter(
  column: ColumnModel,
  filter: { operator: FilterOperator; values: ValueType; table: TableModel },
): Parameter {
  const { operator, table } = filter;
  if (operator === "eq" && column.name === SCOPE_PARAMETER && table.scope.organization) {
    return scopeParameter(column.name);
  }
  const { says, isList, operand } = filterOperator(operator);
  const values = operand(filter.values);
  const isKey = column.manager === "id" || column.references !== null;
  const items = values.jsonItem ?? values.querySchema;
  const keyOf = isKey && values === filter.values ? table.idStrategy : false;
  return {
    name: operator === "eq" ? column.name : `${column.name}.${operator}`,
    use: { kind: "filter", column: column.name, operator, isList, values, keyOf },
    description: says(column.name),
    schema: isList
      ? { type: "array", items, minItems: 1, maxItems: limits.QUERY_VALUES_MAX }
      : values.querySchema,
  };
}

function whereParameter(
  { resource, view }: Operation,
  columns: readonly ColumnModel[],
  project: ProjectModel,
): readonly Parameter[] {
  const scope = whereScope(resource, { columns, view }, project);
  if (scope.columns.size === 0 && scope.relations.size === 0) return [];
  const over = [...scope.relations.values()].map(({ name }) => `\`${name}\``);
  return [{
    name: "where",
    use: { kind: "where", scope },
    description:
      'Conditions as JSON, all of which must hold: `{ "field": value }`, `{ "field": { "operator": value } }` with ' +
      `${CONDITION_OPERATORS.join(", ")}, and \`or\`, \`and\` (lists of conditions) and \`not\`.` +
      (over.length === 0 ? "" : ` Conditions on related records: ${over.join(", ")}.`),
    schema: { type: "object", additionalProperties: true },
  }];
}

const LIMIT: Parameter = {
  name: "limit",
  use: { kind: "limit" },
  description:
    `Records on a page, ${limits.PAGE_SIZE_MIN} to ${limits.PAGE_SIZE_MAX}; a whole number outside is moved to the nearer end.`,
  schema: {
    type: "integer",
    minimum: limits.PAGE_SIZE_MIN,
    maximum: limits.PAGE_SIZE_MAX,
    default: limits.PAGE_SIZE_DEFAULT,
  },
};

const OFFSET: Parameter = {
  name: "offset",
  use: { kind: "offset" },
  description: "Records to skip before the page.",
  schema: { type: "integer", minimum: 0, default: 0 },
};

const ORDER: Parameter = {
  name: "order",
  use: { kind: "order" },
  description:
    "Direction of a single `sort` field without a minus sign, or of the default sort. Ignored when `sort` names several fields or carries a minus sign.",
  schema: { type: "string", enum: ["asc", "desc"] },
};

const STARTING_AFTER: Parameter = {
  name: "starting_after",
  use: { kind: "cursor", direction: "after" },
  description:
    "A cursor from `pagination`: the records that follow it in the same sort. Not together with `offset` or `ending_before`.",
  schema: { type: "string", minLength: 1 },
};

const ENDING_BEFORE: Parameter = {
  name: "ending_before",
  use: { kind: "cursor", direction: "before" },
  description:
    "A cursor from `pagination`: the records right before it in the same sort. Not together with `offset` or `starting_after`.",
  schema: { type: "string", minLength: 1 },
};

/** Parameters of pages that only have a cursor. */
export const CURSOR_PARAMETERS: readonly Parameter[] = [LIMIT, STARTING_AFTER, ENDING_BEFORE];

const TOTAL: Parameter = {
  name: "total",
  use: { kind: "total" },
  description: "Whether to count all matching records into `total` and `totalPages`.",
  schema: { type: "boolean", default: false },
};

/** Parameter of a file's download. */
export const DOWNLOAD: Parameter = {
  name: "download",
  use: { kind: "download" },
  description: "The file is to be saved, whatever its type: `Content-Disposition: attachment`.",
  schema: { type: "string", enum: ["1"] },
};

const DELETED: Parameter = {
  name: "deleted",
  use: { kind: "deleted" },
  description:
    "Soft-deleted records alone, or beside the others. For callers who may restore them; without it, none is answered.",
  schema: { type: "string", enum: ["only", "with"] },
};

function sortParameter(names: readonly string[]): Parameter {
  return {
    name: "sort",
    use: { kind: "sort", columns: names },
    description:
      "Fields to sort by, comma-separated, the first one first, none twice; a minus sign descends.",
    schema: {
      type: "array",
      items: { type: "string", enum: names.flatMap((name) => [name, `-${name}`]) },
      minItems: 1,
      maxItems: limits.SORT_FIELDS_MAX,
      uniqueItems: true,
    },
  };
}

function fieldsParameter(
  operation: Operation,
  table: TableModel,
  project: ProjectModel,
): Parameter {
  const columns = operation.view?.fields ?? table.columns.map(({ name }) => name);
  const unasked = table.columns.find(({ type }) => rulesOf(type).isAsked);
  const strict = CONTRACT_VERSIONS[project.contract].strictFields;
  return {
    name: "fields",
    use: { kind: "fields", columns, strict },
    description: "Columns to answer with, comma-separated; without it, all that are listed" +
      (operation.view || !unasked ? ". " : ` but \`${unasked.name}\`. `) +
      (strict
        ? "An unknown name is refused."
        : "Unknown names are ignored; when none is left, all columns answer."),
    schema: { type: "array", items: { type: "string", enum: columns }, minItems: 1 },
  };
}

/** Returns `include`, and `fields[<fk>]` for each foreign key that it may name. */
function includeParameters(operation: Operation, project: ProjectModel): readonly Parameter[] {
  const embeddables = embeddablesOf(operation, project);
  if (embeddables.length === 0) return [];
  const names = embeddables.map(({ name }) => name);
  return [
    {
      name: "include",
      use: { kind: "include", columns: names },
      description:
        "What is answered along in `included`, comma-separated: targets of foreign keys, each of which must be among the fields answered" +
        (embeddables.some(({ direction }) => direction === "children")
          ? ", and rows that refer to the records, which needs their ids there."
          : "."),
      schema: {
        type: "array",
        items: { type: "string", enum: names },
        minItems: 1,
        uniqueItems: true,
      },
    },
    ...embeddables.map(({ name, table }) => embeddedFieldsParameter(name, table)),
  ];
}

function embeddedFieldsParameter(column: string, { columns }: TableModel): Parameter {
  const fields = columns.map(({ name }) => name);
  return {
    name: `fields[${column}]`,
    use: { kind: "embeddedFields", column, fields },
    description:
      `Columns of what \`${column}\` names, comma-separated; needs \`include\` to name \`${column}\`.`,
    schema: { type: "array", items: { type: "string", enum: fields }, minItems: 1 },
  };
}

function searchParameter(columns: readonly ColumnModel[], isFullText: boolean): Parameter {
  const names = columns.map((column) => column.name);
  if (isFullText) {
    return {
      name: "search",
      use: { kind: "search", columns: names, isFullText },
      description: `Records with every word at the beginning of one in ${
        names.map((name) => `\`${name}\``).join(", ")
      }, whatever its case and accents, the best first unless \`sort\` or \`order\` says otherwise. At most ${SEARCH_WORDS_MAX} words.`,
      schema: { type: "string", pattern: SEARCH_PATTERN },
    };
  }
  return {
    name: "search",
    use: { kind: "search", columns: names, isFullText },
    description: `Records that contain the text, whatever its case, in one of ${
      names.map((name) => `\`${name}\``).join(", ")
    }. Masked columns are passed over.`,
    schema: FOLDED_TEXTS.querySchema,
  };
}
