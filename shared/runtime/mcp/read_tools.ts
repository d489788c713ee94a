/** Tools that read records (contract 4.1 to 4.3): one for pages, views among them, and one for single records. */
import { z } from "zod";
import { PAGE_SIZE_MAX } from "../../contract/limits.ts";
import { FILTER_OPERATORS, filterOperator } from "../../column_types/mod.ts";
import { RESERVED_PARAMETERS } from "../../contract/fields.ts";
import type { Reach, ResourceReach } from "./reach.ts";
import {
  callOf,
  idArgument,
  pathOf,
  reachedBy,
  READS,
  refusedArguments,
  resourceArgument,
  shown,
  type Tool,
  toolOf,
} from "./tool.ts";

/** Fewer than the API's own default: a page is read by somebody with little room. */
const LIMIT_DEFAULT = 20;

export function readTools({ resources }: Reach): readonly Tool[] {
  const all = [...resources.values()];
  return [
    ...listTool(all.filter(({ list, views }) => list !== null || views.size > 0)),
    ...getTool(reachedBy(all, "get")),
  ];
}

const NAMES = z.array(z.string().min(1)).min(1).optional();
const FIELDS = NAMES.describe("Only these fields.");
const INCLUDE = NAMES.describe("Foreign keys whose records are answered too, in `included`.");
const SCALAR = z.union([z.string(), z.number(), z.boolean()]);

/** Behind a field's name; that alone is `eq`. */
const OPERATORS = FILTER_OPERATORS.filter((name) => name !== "eq");

const LIST_ARGUMENTS = {
  view: z.string().min(1).optional().describe("A named view instead of the plain list."),
  filter: z.record(z.string(), z.union([SCALAR, z.array(SCALAR).min(1)])).optional().describe(
    `By field, or \`field.operator\`: ${
      OPERATORS.join(", ")
    }. \`{ "status": "open", "total.gte": 10, "state.in": ["a", "b"] }\``,
  ),
  search: z.string().min(1).optional().describe("Text that one of the text fields contains."),
  sort: z.array(z.string().min(1)).min(1).optional()
    .describe("Fields, the first one first; with a minus sign, descending."),
  fields: FIELDS,
  include: INCLUDE,
  limit: z.int().min(1).max(PAGE_SIZE_MAX).optional()
    .describe(`Records of one page; ${LIMIT_DEFAULT} when left out.`),
  after: z.string().min(1).optional().describe("`pagination.nextCursor` of the page before."),
  before: z.string().min(1).optional().describe("`pagination.prevCursor` of the page after."),
  total: z.boolean().optional().describe("Count all that match."),
};

type ListArguments = z.output<z.ZodObject<typeof LIST_ARGUMENTS>>;

function listTool(resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const byName = new Map(resources.map((reach) => [reach.resource.name, reach]));
  return [toolOf(
    {
      name: "list_records",
      title: "List records",
      description:
        "Reads one page of a resource's records, or of a view of them, with filters, search and sort.",
      effects: READS,
    },
    { resource: resourceArgument(resources), ...LIST_ARGUMENTS },
    ({ resource, ...rest }) => {
      const reach = byName.get(resource);
      const views = [...reach?.views.keys() ?? []];
      const { view } = rest;
      const operation = view === undefined ? reach?.list : reach?.views.get(view);
      if (!operation) {
        const detail = view === undefined
          ? "Only views of this resource can be listed"
          : `There is no view "${shown(view)}" of this resource`;
        return refusedArguments(detail, views.map((name) => `view: "${name}"`));
      }
      const reserved = Object.keys(rest.filter ?? {}).find(isReserved);
      if (reserved !== undefined) {
        return refusedArguments(`"${shown(reserved)}" is no field to filter by`, []);
      }
      if (
        Object.values(rest.filter ?? {}).some((value) =>
          Array.isArray(value) && value.some((one) => String(one).includes(","))
        )
      ) {
        return refusedArguments(
          "A value of a list cannot hold a comma: ask for each by itself",
          [],
        );
      }
      const { id, method, path } = operation;
      return callOf({ endpoint: id, method, path, query: pageQuery(rest) });
    },
  )];
}

function isReserved(name: string): boolean {
  return (RESERVED_PARAMETERS as readonly string[]).includes(name) || name.startsWith("fields[");
}

function pageQuery(args: ListArguments): readonly (readonly [string, string])[] {
  const filters = Object.entries(args.filter ?? {}).map(([name, value]) =>
    Array.isArray(value)
      ? [
        OPERATORS.some((one) => filterOperator(one).isList && name.endsWith(`.${one}`))
          ? name
          : `${name}.in`,
        value.join(","),
      ] as const
      : [name, String(value)] as const
  );
  return [
    ...filters,
    ["limit", String(args.limit ?? LIMIT_DEFAULT)],
    ...given("search", args.search),
    ...given("sort", args.sort?.join(",")),
    ...given("fields", args.fields?.join(",")),
    ...given("include", args.include?.join(",")),
    ...given("starting_after", args.after),
    ...given("ending_before", args.before),
    ...(args.total ? given("total", "true") : []),
  ];
}

function given(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

function getTool(resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const byName = new Map(resources.map(({ resource, records }) => [resource.name, records]));
  return [toolOf(
    {
      name: "get_record",
      title: "Read a record",
      description: "Reads one record by its id.",
      effects: READS,
    },
    {
      resource: resourceArgument(resources),
      id: idArgument(resources),
      fields: FIELDS,
      include: INCLUDE,
    },
    ({ resource, id, fields, include }) => {
      const operation = byName.get(resource)?.get("get");
      if (!operation) return refusedArguments(`"${resource}" cannot be read`, []);
      return callOf({
        endpoint: operation.id,
        method: operation.method,
        path: pathOf(operation.path, id),
        query: [...given("fields", fields?.join(",")), ...given("include", include?.join(","))],
      });
    },
  )];
}
