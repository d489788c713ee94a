/**
 * One stream of a libSQL server: batches of statements with conditions, each batch one HTTP request (Hrana 2 over HTTP).
 * `@libsql/client` cannot send batches with such conditions.
 */
import { z } from "zod";
import type {
  ResultSet,
  SqlValue,
  Statement,
  WriteOutcome,
} from "../../../shared/runtime/ports.ts";
import { StatementTimeoutError } from "../../../shared/runtime/ports.ts";
import { portError, unreachableError } from "./driver_errors.ts";
import type { StatementLimits } from "./reading_turns.ts";
import type { ServerWatch } from "./server_watch.ts";
import { boundValues, portCell } from "./values.ts";

export interface HranaServer {
  readonly url: string;
  readonly authToken: string | null;
  /** Namespace of a server with several databases. Absent: there is one, or the URL names it. */
  readonly namespace?: string;
  readonly watch: ServerWatch;
  /** Absent: statements have no time limit. */
  readonly limits?: StatementLimits | null | undefined;
  /** Is called for each request. The returned function is called with the answer's text; null: none came. */
  sent(mayCommit: boolean): (answer: string | null) => void;
}

/** A condition on earlier steps of the batch, by their index. */
export type Condition =
  | { readonly type: "ok"; readonly step: number }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] };

export interface Step {
  readonly statement: Statement;
  /** Null: the step always runs. */
  readonly condition: Condition | null;
}

/** Outcome of a step. `skipped`: its condition was false. */
export type StepAnswer =
  | { readonly kind: "ok"; readonly result: ResultSet }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "skipped" };

export interface Stream {
  /** Runs the steps in order in one round trip. With `last` the same request closes the stream. */
  send(steps: readonly Step[], last?: "last"): Promise<readonly StepAnswer[]>;
  /** True while the server holds this stream's state. */
  readonly isOpen: boolean;
}

const CELL = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.string() }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob"), base64: z.string() }),
]);
const ERROR = z.object({ message: z.string(), code: z.string().nullish() });
const RESULT = z.object({
  cols: z.array(z.object({ name: z.string().nullish() })),
  rows: z.array(z.array(CELL)),
  affected_row_count: z.number(),
});
const BATCH = z.object({
  step_results: z.array(RESULT.nullable()),
  step_errors: z.array(ERROR.nullable()),
});
const ANSWER = z.object({
  baton: z.string().nullish(),
  base_url: z.string().nullish(),
  results: z.array(z.union([
    z.object({
      type: z.literal("ok"),
      response: z.object({ type: z.string(), result: BATCH.optional() }),
    }),
    z.object({ type: z.literal("error"), error: ERROR }),
  ])),
});

type Cell = z.infer<typeof CELL>;

/**
 * Opens a stream. The first batch makes the first request. A request with an unbounded statement is aborted after these
 * milliseconds, and throws `StatementTimeoutError`.
 */
export function openStream(server: HranaServer, milliseconds?: number): Stream {
  let baton: string | null = null;
  let base = httpBase(server.url);
  return {
    get isOpen() {
      return baton !== null;
    },
    async send(steps, last) {
      const batch = {
        steps: steps.map(({ statement: { sql, args }, condition }) => {
          const stmt = { sql, args: boundValues(args).map(encoded), want_rows: true };
          return condition === null ? { stmt } : { stmt, condition };
        }),
      };
      const texts = steps.map(({ statement }) => statement.sql);
      const outcome = texts.includes("COMMIT") && !texts[0]?.endsWith("READONLY")
        ? "unknown"
        : "undone";
      const close = last ? [{ type: "close" }] : [];
      const text = JSON.stringify({ baton, requests: [{ type: "batch", batch }, ...close] });
      // The request uses up the baton, even if it fails.
      baton = null;
      const isLong = steps.some(({ statement }) => statement.unboundedFor !== undefined);
      const answer = await posted(new URL("v2/pipeline", base), server, {
        text,
        outcome,
        milliseconds: isLong ? milliseconds : undefined,
      });
      baton = answer.baton ?? null;
      if (answer.base_url) base = httpBase(answer.base_url);
      const [first] = answer.results;
      if (first?.type === "error") throw serverError(first.error);
      return answersOf(first?.response.result, steps.length, outcome);
    },
  };
}

/** Converts `libsql:` to HTTPS. A path is kept. */
export function httpBase(text: string): URL {
  const url = new URL(text.replace(/^libsql:/, "https:"));
  url.search = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** Sends a request. After it left, errors are `DatabaseUnavailableError` with this outcome. */
function posted(
  url: URL,
  { authToken, namespace, watch, sent }: HranaServer,
  { text, outcome, milliseconds }: {
    readonly text: string;
    readonly outcome: WriteOutcome;
    readonly milliseconds: number | undefined;
  },
): Promise<z.infer<typeof ANSWER>> {
  return watch.during(async (signal) => {
    const heard = sent(outcome === "unknown");
    const limit = milliseconds === undefined ? null : AbortSignal.timeout(milliseconds);
    let answer: string | null = null;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(authToken === null ? {} : { authorization: `Bearer ${authToken}` }),
          ...(namespace === undefined ? {} : {
            "x-namespace-bin": new TextEncoder().encode(namespace).toBase64({
              omitPadding: true,
            }),
          }),
        },
        // This body can be read only once. `fetch` repeats a request with any other body if a kept connection ends without an
        // answer, and the server would execute it twice. It is cheaper than a stream of a list.
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(text));
            controller.close();
          },
        }),
        signal: limit === null ? signal : AbortSignal.any([signal, limit]),
      });
      answer = await response.text();
      if (!response.ok) throw new Error(`The server answered ${response.status}: ${answer}`);
      return ANSWER.parse(JSON.parse(answer));
    } catch (cause) {
      // A request that ends the transaction may have been committed.
      if (limit?.aborted && milliseconds !== undefined && outcome === "undone") {
        throw new StatementTimeoutError(milliseconds);
      }
      throw unreachableError(cause, outcome);
    } finally {
      heard(answer);
    }
  });
}

function encoded(value: SqlValue): Cell {
  switch (typeof value) {
    case "bigint":
      return { type: "integer", value: String(value) };
    case "number":
      return { type: "float", value };
    case "string":
      return { type: "text", value };
    default:
      return value === null
        ? { type: "null" }
        : { type: "blob", base64: value.toBase64({ omitPadding: true }) };
  }
}

function answersOf(
  batch: z.infer<typeof BATCH> | undefined,
  count: number,
  outcome: WriteOutcome,
): readonly StepAnswer[] {
  const { step_results: results = [], step_errors: errors = [] } = batch ?? {};
  if (results.length !== count || errors.length !== count) {
    const cause = new Error("The server answered another number of statements");
    throw unreachableError(cause, outcome);
  }
  return results.map((result, at): StepAnswer => {
    const error = errors[at];
    if (error) return { kind: "error", error: serverError(error) };
    return result
      ? {
        kind: "ok",
        result: {
          rows: result.rows.map((row) => row.map((cell) => portCell(decoded(cell)))),
          columns: result.cols.map(({ name }) => name ?? ""),
          changes: result.affected_row_count,
        },
      }
      : { kind: "skipped" };
  });
}

function decoded(cell: Cell): SqlValue {
  switch (cell.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(cell.value);
    case "blob":
      return Uint8Array.fromBase64(cell.base64);
    default:
      return cell.value;
  }
}

/** Converts an error of the server's engine to that of the ports. */
function serverError({ message, code }: z.infer<typeof ERROR>): unknown {
  return portError(Object.assign(new Error(message), { code: code ?? "UNKNOWN" }));
}
