/** Single records: bare, without a wrapper (contract 2.5). The data layer made the JSON. */

export function recordResponse(json: string, status: 200 | 201 = 200): Response {
  return jsonResponse(json, status);
}

/** The answer to a delete: the record itself is not returned (contract 4.1). */
export function deletedResponse(): Response {
  return jsonResponse('{"success":true}', 200);
}

/** A JSON text as an answer. */
export function jsonResponse(json: string, status: number): Response {
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}
