/** Reads the events of one compile at the build service as they arrive: stream protocol v2 (contract 4.8). */
import { z } from "zod";
import { HEADERS } from "../../shared/contract/mod.ts";
import { ROUTES } from "../protocol.ts";
import type { Connection, Frame } from "./connection.ts";

export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly file: string;
  readonly line: number;
  /** Column of the finding; null if only the line is known. */
  readonly column: number | null;
  /** Length of the marked text in characters; absent: the word at the column is marked. */
  readonly length?: number;
}

export interface OutputFile {
  readonly path: string;
  readonly content: string;
}

export type CompileNews =
  | { readonly kind: "phase"; readonly stage: string; readonly message: string }
  | { readonly kind: "announced"; readonly fileCount: number }
  | { readonly kind: "file"; readonly file: OutputFile }
  | { readonly kind: "done"; readonly findings: readonly Finding[] }
  | { readonly kind: "failed"; readonly message: string; readonly findings: readonly Finding[] };

export async function* compileStream(
  connection: Connection,
  { body, complete, signal }: {
    readonly body: string;
    /** True for a full compile; false: validate only. */
    readonly complete: boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<CompileNews, void, void> {
  const frames = connection.frames(`${ROUTES.compile}?complete=${complete}`, {
    method: "POST",
    signal,
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      [HEADERS.streamProtocol]: "v2",
    },
    body,
  });
  for await (const frame of frames) {
    const news = newsOf(frame);
    if (news !== null) yield news;
  }
}

const PROGRESS = z.object({ stage: z.string(), message: z.string() });
const META = z.object({ fileCount: z.number() });
const FILE = z.object({ path: z.string(), content: z.string() });
const PLACED = z.object({
  code: z.string(),
  message: z.string(),
  file: z.string(),
  line: z.number(),
});
const DONE = z.object({ warnings: z.array(PLACED) });
const FAILED = z.object({
  message: z.string(),
  errors: z.array(PLACED.extend({ column: z.number(), hint: z.string().nullable() })).default([]),
});

/** Converts a frame into an event; null for a frame of an unknown kind, which a later service may send. */
function newsOf({ event, data }: Frame): CompileNews | null {
  switch (event) {
    case "progress":
      return { kind: "phase", ...PROGRESS.parse(data) };
    case "meta":
      return { kind: "announced", ...META.parse(data) };
    case "file":
      return { kind: "file", file: FILE.parse(data) };
    case "done":
      return {
        kind: "done",
        findings: DONE.parse(data).warnings.map((warning) => ({
          ...warning,
          severity: "warning",
          column: null,
          hint: null,
        })),
      };
    case "error": {
      const { message, errors } = FAILED.parse(data);
      const findings = errors.map((error) => ({ ...error, severity: "error" as const }));
      return { kind: "failed", message, findings };
    }
    default:
      return null;
  }
}
