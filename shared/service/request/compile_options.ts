/** The query and the headers of `POST /compile` (contract 4.8). */
import { z } from "zod";
import { HEADERS } from "../../contract/mod.ts";
import { acceptedWeights } from "../../lib/http.ts";
import { ServiceRefusal } from "../refusal.ts";

export type StreamProtocol = z.infer<typeof STREAM_PROTOCOL>;

export interface CompileOptions {
  readonly complete: boolean;
  /** Version of the stream protocol; null: one JSON document. */
  readonly stream: StreamProtocol | null;
}

export function readCompileOptions(request: Request): CompileOptions {
  const listed = acceptedWeights(request.headers.get("accept"));
  const weight = listed.get("text/event-stream") ?? 0;
  return {
    complete: readComplete(new URL(request.url).searchParams),
    stream: weight > 0 && weight >= (listed.get("application/json") ?? 0)
      ? readProtocol(request.headers.get(HEADERS.streamProtocol))
      : null,
  };
}

function readComplete(query: URLSearchParams): boolean {
  const unknown = [...query.keys()].find((name) => name !== "complete");
  if (unknown !== undefined) {
    throw invalid(`Query parameter ${JSON.stringify(unknown.slice(0, 80))} is not known`);
  }
  const values = query.getAll("complete");
  if (values.length > 1) {
    throw new ServiceRefusal("VALIDATION_INVALID_INPUT", {
      detail: "Query parameter 'complete' is there more than once",
      hint: "Send 'complete' once, 'true' or 'false'",
    });
  }
  const [value = "true"] = values;
  const read = COMPLETE.safeParse(value);
  if (read.success) return read.data === "true";
  throw invalid("Query parameter 'complete' must be 'true' or 'false'");
}

function readProtocol(version: string | null): StreamProtocol {
  const read = STREAM_PROTOCOL.safeParse(version ?? "v1");
  if (read.success) return read.data;
  throw new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail: "Header 'X-Service-Stream' must be 'v1' or 'v2'",
    hint: "Leave the header out for 'v1'",
  });
}

function invalid(detail: string): ServiceRefusal {
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail,
    hint: "The only parameter is 'complete', 'true' or 'false'",
  });
}

/** Schema of the query, for the reader and the description (contract 4.8). */
export const COMPLETE = z.enum(["true", "false"]);
export const STREAM_PROTOCOL = z.enum(["v1", "v2"]);

const TEXTS = z.record(z.string(), z.string());
const VALUES = z.record(z.string(), z.unknown());
const SCHEMAS = z.record(z.string(), z.record(z.string(), z.unknown())).optional();
const VENDOR = z.boolean().optional();

/** Outer form of a parsed project. The compiler checks the rest (`ParsedProject`). */
const PARSED = z.looseObject({
  version: z.literal(1),
  files: TEXTS,
  definitions: VALUES,
  code: VALUES,
  authored: VALUES,
});

export const COMPILE_BODY = z.union([
  z.strictObject({ rawFiles: TEXTS, actionInputSchemas: SCHEMAS, vendor: VENDOR }),
  z.strictObject({ input: PARSED, actionInputSchemas: SCHEMAS, vendor: VENDOR }),
]);

export const COMPILE_MEMBERS: readonly string[] = [
  ...new Set(COMPILE_BODY.options.flatMap((form) => Object.keys(form.shape))),
];

/** True when the header accepts the coding by name or by `*`. */
export function acceptsEncoding(headers: Headers, coding: string): boolean {
  const listed = acceptedWeights(headers.get("accept-encoding"));
  return (listed.get(coding) ?? listed.get("*") ?? 0) > 0;
}
