/** The answers to writes of one record: whole, under its new revision (contract 4.1 rule 8). */
import { HEADERS } from "../../contract/headers.ts";
import type { Call } from "./call.ts";
import type { SqlValue } from "../ports.ts";
import { encodeSegment } from "../request/read_request.ts";
import { taggedResponse } from "../response/record.ts";
import { recordTag } from "./record_tag.ts";

export function writtenResponse(
  call: Call,
  json: string,
  status: 200 | 201 = 200,
): Response {
  const tag = call.plan.table.revision === null ? null : recordTag(call, { json, row: null });
  return taggedResponse(json, status, tag);
}

/** Of a new record, which says where it is (RFC 9110, 15.3.2). */
export function createdResponse(
  call: Call,
  { json, id }: { readonly json: string; readonly id: SqlValue },
): Response {
  const response = writtenResponse(call, json, 201);
  const collection = call.plan.operation.path.replace(/\/:id$/, "");
  response.headers.set(HEADERS.location, `${collection}/${encodeSegment(String(id))}`);
  return response;
}
