/** The query string of an operation (contract 4.3). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. */
import type { Principal } from "../../../model/principal.ts";
import type { GetQuery, ListQuery, QueryResult, WriteQuery } from "../../../surface/query.ts";
import { readGetQuery, readListQuery, readWriteQuery } from "../../../surface/read_query.ts";
import type { Call } from "../../context.ts";
import { refuse } from "../../refusal.ts";

export function requireListQuery(call: Call, principal: Principal): ListQuery {
  return required(readListQuery(call.plan.query, asked(call, principal)));
}

export function requireGetQuery(call: Call, principal: Principal): GetQuery {
  return required(readGetQuery(call.plan.query, asked(call, principal)));
}

export function requireWriteQuery(call: Call, principal: Principal): WriteQuery {
  return required(readWriteQuery(call.plan.query, asked(call, principal)));
}

function asked({ request }: Call, principal: Principal) {
  return { parameters: new URLSearchParams(request.search), principal };
}

function required<Query>(result: QueryResult<Query>): Query {
  if (result.kind === "query") return result.query;
  return refuse("VALIDATION_INVALID_INPUT", {
    detail: result.message,
    details: { parameter: result.parameter },
  });
}
