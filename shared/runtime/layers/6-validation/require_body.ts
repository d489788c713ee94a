/** The values of a request: its body, its query, the id that its client chose (contract 4.1, 4.3). */
import type { JsonObject } from "../../../lib/json.ts";
import type { Principal } from "../../../model/principal.ts";
import type { TableModel } from "../../../model/table.ts";
import { clientIdPattern } from "../../../surface/ids.ts";
import type {
  GetQuery,
  ListQuery,
  QueryPlan,
  QueryResult,
  StoredValue,
  WriteQuery,
} from "../../../surface/query.ts";
import { readGetQuery, readListQuery, readWriteQuery } from "../../../surface/read_query.ts";
import type { BodyChecker } from "../../../surface/schema/body.ts";
import { refuse, refuseMember } from "../../refusal.ts";

/**
 * The values of a write body by column, in stored form; what the body left out is absent (contract 4.1 rules 1 and 2). Refuses
 * with `VALIDATION_ERROR`.
 */
export function requireBody(
  checkBody: BodyChecker | null,
  body: JsonObject,
): ReadonlyMap<string, StoredValue> {
  if (checkBody === null) throw new Error("The operation takes no body");
  const reading = checkBody(body);
  if (reading.kind === "valid") return reading.values;
  return refuse("VALIDATION_ERROR", {
    details: { fields: reading.fields },
    pointer: reading.pointer,
  });
}

/**
 * An id that the client chose, in the form of its table's ids (contract 4.1 rules 3 and 5). Refuses with
 * `VALIDATION_ERROR`. For ids that stand outside the body: in the path, or beside the fields of a batch's record.
 */
export function requireClientId(table: TableModel, id: string): void {
  const pattern = clientIdPattern(table);
  if (pattern !== null && new RegExp(pattern).test(id)) return;
  refuseMember([table.primaryKey], "Must have the form of this table's ids");
}

/** The query of a request, and its caller. */
interface AskedQuery {
  readonly search: string;
  readonly principal: Principal;
}

/** The query string of an operation (contract 4.3). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. */
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
