/** The query string of an operation (contract 4.3). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. */
import type { Principal } from "../../../model/principal.ts";
import type { GetQuery, ListQuery, QueryResult, WriteQuery } from "../../../surface/query.ts";
import type { QueryPlan } from "../../../surface/query_plan.ts";
import { readGetQuery, readListQuery, readWriteQuery } from "../../../surface/read_query.ts";
import { refuse } from "../../refusal.ts";

/** The query of a request, and its caller. */
interface AskedQuery {
  readonly search: string;
  readonly principal: Principal;
}

export function requireListQuery(plan: QueryPlan, asked: AskedQuery): ListQuery {
  return required(readListQuery(plan, readable(asked)));
}

export function requireGetQuery(plan: QueryPlan, asked: AskedQuery): GetQuery {
  return required(readGetQuery(plan, readable(asked)));
}

export function requireWriteQuery(plan: QueryPlan, asked: AskedQuery): WriteQuery {
  return required(readWriteQuery(plan, readable(asked)));
}

function readable({ search, principal }: AskedQuery) {
  return { parameters: new URLSearchParams(search), principal };
}

function required<Query>(result: QueryResult<Query>): Query {
  if (result.kind === "query") return result.query;
  return refuse("VALIDATION_INVALID_INPUT", {
    detail: result.message,
    details: { parameter: result.parameter },
  });
}
