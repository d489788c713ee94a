/**
 * Declares one call of an operation on records: the admitted request, and the facts about the operation that hold for every
 * request.
 */
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import type { BodyChecker, Operation, QueryPlan, Step, StoredValue } from "../../surface/mod.ts";
import type { Insertion, Projection } from "../data/types.ts";
import type { Admitted, Gate } from "../gate.ts";
import type { SqlValue, Transaction } from "../ports.ts";

/** Facts about an operation, computed once. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** True when the operation may insert a row. */
  readonly makesRows: boolean;
  readonly gate: Gate;
  readonly query: QueryPlan;
  /** The columns of a write's answer: every column (contract 4.1). */
  readonly projection: Projection;
  readonly takesBody: boolean;
  /** Validates the fields of one record; null for operations that take none. */
  readonly checkBody: BodyChecker | null;
  /** Extra steps of a create; null for the resources of authors. */
  readonly extras: CreateExtras | null;
}

/** Steps of a create of a resource that the service itself defines; no other create has them. */
export interface CreateExtras {
  /**
   * Runs before a transaction that contains the whole call: returns the same request, with the answers of outside services
   * known in advance.
   */
  foresee(call: Call): Promise<Admitted>;
  /** Refuses further values after validation, before the transaction of the write. */
  requireValues(call: Call, values: ReadonlyMap<string, StoredValue>): Promise<void>;
  /** Runs in the transaction that has inserted the row. */
  inserted(call: Call, transaction: Transaction, row: InsertedRow): Promise<void>;
}

export interface InsertedRow extends Pick<Insertion, "values" | "stamps"> {
  readonly id: SqlValue;
}

export interface Call {
  readonly request: Admitted;
  readonly plan: OperationPlan;
  /** The id of the path; empty on collections. */
  readonly id: string;
}

/** Reports a step to the request's trace. */
export function enter({ request }: Pick<Call, "request">, step: Step): void {
  request.app.trace?.(request.requestId, step);
}
