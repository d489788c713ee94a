/** Read that the proofs request. */
import type { TableModel } from "../../shared/model/mod.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { Operation } from "../../shared/surface/mod.ts";
import * as plan from "./planning.ts";

export interface Reading extends plan.Planning {
  readonly route: RuledRoute;
  readonly operation: Operation;
  readonly table: TableModel;
}
