/** Passes a recording from one process to another: one request on each line. */
import type { RecordedRequest } from "../../../proof/audit/statement_record.ts";

export function recordingLine(request: RecordedRequest): string {
  // Numbers beyond JavaScript's integers, and bytes, are never compared.
  return `${
    JSON.stringify(request, (_key, value) =>
      typeof value === "bigint" ? Number(value) : value instanceof Uint8Array ? "bytes" : value)
  }\n`;
}

export function* requestsIn(text: string): Generator<RecordedRequest, void, void> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const value: unknown = JSON.parse(text.slice(start, end === -1 ? text.length : end));
    if (!isRequest(value)) throw new Error("The recording holds something else than requests");
    yield value;
    start = end === -1 ? text.length : end + 1;
  }
}

/** Checks a line. `child.ts` has written it with these types, so a few members are enough. */
function isRequest(value: unknown): value is RecordedRequest {
  return typeof value === "object" && value !== null && "statements" in value &&
    "caller" in value && Array.isArray(value.statements);
}
