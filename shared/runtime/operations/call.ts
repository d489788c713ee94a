/** One call of an operation on records: the request that was let in, and what is known of the operation before any request. */
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import type { BodyChecker, Operation, QueryPlan, Step, StoredValue } from "../../surface/mod.ts";
import type { Insertion, Projection } from "../data/types.ts";
import type { Admitted, Gate } from "../gate.ts";
import type { SqlValue, Transaction } from "../ports.ts";

/** Put together once. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** The operation may insert a row. */
  readonly makesRows: boolean;
  readonly gate: Gate;
  readonly query: QueryPlan;
  /** Of a write's answer: every column (contract 4.1). */
  readonly projection: Projection;
  readonly takesBody: boolean;
  /** Of one record's fields; null for operations that take none. */
  readonly checkBody: BodyChecker | null;
  /** Null for the resources of authors. */
  readonly extras: CreateExtras | null;
}

/** Steps of a create, for a resource that the service itself defines, that no other create has. */
export interface CreateExtras {
  /** Before a transaction that the whole call will run in: the same request, with what is asked of the outside known to it. */
  foresee(call: Call): Promise<Admitted>;
  /** Refuses valid values, before the transaction of the write. */
  requireValues(call: Call, values: ReadonlyMap<string, StoredValue>): Promise<void>;
  /** In the transaction that has inserted the row. */
  inserted(call: Call, transaction: Transaction, row: InsertedRow): Promise<void>;
}

export interface InsertedRow extends Pick<Insertion, "values" | "stamps"> {
  readonly id: SqlValue;
}

export interface Call {
  readonly request: Admitted;
  readonly plan: OperationPlan;
  /** Of the path; empty on collections. */
  readonly id: string;
}

/** Reports a step to whoever traces. */
export function enter({ request }: Pick<Call, "request">, step: Step): void {
  request.app.trace?.(request.requestId, step);
}
