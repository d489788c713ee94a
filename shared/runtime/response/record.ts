/** Single records: bare, without a wrapper (contract 2.5). The data layer made the JSON. */

/** The visible targets of one foreign key, as JSON texts by primary key. */
export interface IncludedRecords {
  readonly column: string;
  readonly records: readonly (readonly [id: string, json: string])[];
}

/** A record with the targets of its foreign keys. */
export interface RecordWithIncluded {
  readonly json: string;
  readonly included: readonly IncludedRecords[];
}

/** A record and, beside its columns, the targets of its foreign keys. */
export function recordWithIncluded({ json, included }: RecordWithIncluded): string {
  return `${json.slice(0, -1)},"included":${includedText(included)}}`;
}

/** By foreign key, then by primary key (contract 4.3 rule 4). */
export function includedText(included: readonly IncludedRecords[]): string {
  const members = included.map(({ column, records }) => {
    const entries = records.map(([id, json]) => `${JSON.stringify(id)}:${json}`);
    return `${JSON.stringify(column)}:{${entries.join(",")}}`;
  });
  return `{${members.join(",")}}`;
}

/** The answer to a delete: the record itself is not returned (contract 4.1). */
export function deletedResponse(): Response {
  return jsonResponse('{"success":true}', 200);
}

/** A JSON text as an answer. */
export function jsonResponse(json: string, status: number): Response {
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}
