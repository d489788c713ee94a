/** Facts about an operation that a reader of query strings needs, put together once per operation. */
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import type { AggregationModel, SortKey } from "../model/view.ts";
import { type Embeddable, embeddablesOf } from "./embeddables.ts";
import type { Operation } from "./operations.ts";
import { outputColumns, type Parameter, parametersOf } from "./parameters.ts";
import { tableOf } from "./tables.ts";

export interface QueryPlan {
  readonly resource: ResourceModel;
  /** By name. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** In output order. */
  readonly columns: readonly string[];
  readonly defaultSort: readonly SortKey[];
  /** Foreign keys that `include` may name. */
  readonly embeddables: readonly Embeddable[];
  /** Of the view. */
  readonly aggregations: readonly AggregationModel[];
}

export function queryPlanOf(operation: Operation, project: ProjectModel): QueryPlan {
  const { resource, view } = operation;
  return {
    resource,
    parameters: new Map(
      parametersOf(operation, project).map((parameter) => [parameter.name, parameter]),
    ),
    columns: outputColumns(operation, tableOf(resource, project)),
    defaultSort: view && view.defaultSort.length > 0 ? view.defaultSort : resource.defaultSort,
    embeddables: embeddablesOf(operation, project),
    aggregations: view?.aggregations ?? [],
  };
}
