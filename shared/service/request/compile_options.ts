/** The query and the headers of `POST /compile` (contract 4.8). */
import { HEADERS } from "../../contract/headers.ts";
import { ServiceRefusal } from "../refusal.ts";
import type { z } from "zod";
import { prefersMediaType } from "./accept.ts";
import { COMPLETE, STREAM_PROTOCOL } from "./compile_schemas.ts";

export type StreamProtocol = z.infer<typeof STREAM_PROTOCOL>;

export interface CompileOptions {
  readonly complete: boolean;
  /** Null: one JSON document. */
  readonly stream: StreamProtocol | null;
}

export function readCompileOptions(request: Request): CompileOptions {
  return {
    complete: readComplete(new URL(request.url).searchParams),
    stream: prefersMediaType(request.headers, "text/event-stream")
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
  if (values.length > 1) throw repeated();
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

function repeated(): ServiceRefusal {
  return new ServiceRefusal("VALIDATION_INVALID_INPUT", {
    detail: "Query parameter 'complete' is there more than once",
    hint: "Send 'complete' once, 'true' or 'false'",
  });
}

function invalid(detail: string): ServiceRefusal {
  return new ServiceRefusal("COMPILE_INPUT_INVALID", {
    detail,
    hint: "The only parameter is 'complete', 'true' or 'false'",
  });
}
