/** A recording on its way between two processes: one request a line. */
import type { RecordedRequest } from "../../../proof/audit/statement_record.ts";

export function recordingLine(request: RecordedRequest): string {
  return `${JSON.stringify(request, plain)}\n`;
}

/** Numbers beyond JavaScript's own and bytes are compared with nothing. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? "bytes" : value;
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

/** Written by `child.ts`, whose types say the rest. */
function isRequest(value: unknown): value is RecordedRequest {
  return typeof value === "object" && value !== null && "statements" in value &&
    "caller" in value && Array.isArray(value.statements);
}
