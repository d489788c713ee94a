/** One call of an operation on records: the request that was let in, and what is known of the operation before any request. */
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import type { Operation } from "../../surface/operations.ts";
import type { QueryPlan } from "../../surface/query_plan.ts";
import type { BodyChecker } from "../../surface/schema/body.ts";
import type { Admitted, Gate } from "../gate.ts";

/** Put together once. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** The operation may insert a row. */
  readonly makesRows: boolean;
  readonly gate: Gate;
  readonly query: QueryPlan;
  readonly takesBody: boolean;
  /** Of one record's fields; null for operations that take none. */
  readonly checkBody: BodyChecker | null;
}

export interface Call {
  readonly request: Admitted;
  readonly plan: OperationPlan;
  /** Of the path; empty on collections. */
  readonly id: string;
}
