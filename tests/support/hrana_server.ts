/** A libSQL server for tests: Hrana 2 as JSON over HTTP on loopback, over a libSQL file in this process. */
import NativeDatabase from "libsql";
import { z } from "zod";

const value = z.union([
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.string() }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob"), base64: z.string() }),
]);
const stmt = z.object({
  sql: z.string().optional(),
  sql_id: z.number().optional(),
  args: z.array(value).default([]),
});
type Condition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and" | "or"; conds: Condition[] }
  | { type: "is_autocommit" };
const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({ type: z.enum(["ok", "error"]), step: z.number() }),
    z.object({ type: z.literal("not"), cond: condition }),
    z.object({ type: z.enum(["and", "or"]), conds: z.array(condition) }),
    z.object({ type: z.literal("is_autocommit") }),
  ])
);
const step = z.object({ condition: condition.nullish(), stmt });
const request = z.discriminatedUnion("type", [
  z.object({ type: z.literal("execute"), stmt }),
  z.object({ type: z.literal("batch"), batch: z.object({ steps: z.array(step) }) }),
  z.object({ type: z.literal("sequence"), sql: z.string() }),
  z.object({ type: z.literal("store_sql"), sql_id: z.number(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.number() }),
  z.object({ type: z.literal("get_autocommit") }),
  z.object({ type: z.literal("close") }),
]);
const pipeline = z.object({ baton: z.string().nullish(), requests: z.array(request) });

type HranaStatement = z.infer<typeof stmt>;
type HranaRequest = z.infer<typeof request>;

interface StatementResult {
  readonly cols: readonly { readonly name: string }[];
  readonly rows: readonly (readonly z.infer<typeof value>[])[];
  readonly affected_row_count: number;
}

interface Stream {
  readonly baton: string;
  readonly database: NativeDatabase.Database;
  readonly texts: Map<number, string>;
  closed: boolean;
  /** Milliseconds since the epoch. */
  usedAt: number;
}

export interface HranaServer {
  readonly url: string;
  /** HTTP requests answered so far: round trips. */
  roundTrips(): number;
  close(): Promise<void>;
}

export interface HranaServerOptions {
  readonly path: string;
  /** Required as a bearer token when given. */
  readonly authToken?: string;
  /** Milliseconds after which a stream that nobody uses has ended: that of a client that was killed. Without it: never. */
  readonly idleMs?: number;
}

/** Serves the file until it is closed; streams left open by a client are rolled back then. */
export function startHranaServer(options: HranaServerOptions): HranaServer {
  const streams = new Map<string, Stream>();
  let count = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (incoming) => {
    count += 1;
    return answer(incoming, options, streams);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    roundTrips: () => count,
    async close() {
      await server.shutdown();
      for (const stream of streams.values()) stream.database.close();
    },
  };
}

async function answer(
  incoming: Request,
  options: HranaServerOptions,
  streams: Map<string, Stream>,
): Promise<Response> {
  const { authToken } = options;
  if (authToken && incoming.headers.get("authorization") !== `Bearer ${authToken}`) {
    return new Response("Unauthorized", { status: 401 });
  }
  if (new URL(incoming.url).pathname !== "/v2/pipeline") return new Response(null, { status: 404 });
  const { baton, requests } = pipeline.parse(await incoming.json());
  const stream = baton ? streams.get(baton) : openStream(options.path);
  closeIdle(streams, stream, options.idleMs ?? Infinity);
  if (!stream) return Response.json({ message: "Unknown baton" }, { status: 400 });
  stream.usedAt = Date.now();
  streams.set(stream.baton, stream);
  const results = requests.map((one) => respond(stream, one));
  if (stream.closed) {
    streams.delete(stream.baton);
    stream.database.close();
  }
  return Response.json({ baton: stream.closed ? null : stream.baton, base_url: null, results });
}

function closeIdle(streams: Map<string, Stream>, used: Stream | undefined, idleMs: number): void {
  for (const [baton, stream] of streams) {
    if (stream === used || Date.now() - stream.usedAt < idleMs) continue;
    streams.delete(baton);
    stream.database.close();
  }
}

function openStream(path: string): Stream {
  const database = new NativeDatabase(path, { timeout: 0 });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA foreign_keys = ON");
  return {
    baton: crypto.randomUUID(),
    database,
    texts: new Map(),
    closed: false,
    usedAt: Date.now(),
  };
}

function respond(stream: Stream, one: HranaRequest) {
  try {
    return { type: "ok", response: { type: one.type, ...payload(stream, one) } };
  } catch (error) {
    return { type: "error", error: hranaError(error) };
  }
}

function payload(stream: Stream, one: HranaRequest): Record<string, unknown> {
  switch (one.type) {
    case "execute":
      return { result: execute(stream, one.stmt) };
    case "batch":
      return { result: batch(stream, one.batch.steps) };
    case "sequence":
      stream.database.exec(one.sql);
      return {};
    case "store_sql":
      stream.texts.set(one.sql_id, one.sql);
      return {};
    case "close_sql":
      stream.texts.delete(one.sql_id);
      return {};
    case "get_autocommit":
      return { is_autocommit: !stream.database.inTransaction };
    case "close":
      stream.closed = true;
      return {};
  }
}

function batch(stream: Stream, steps: readonly z.infer<typeof step>[]) {
  const results: (StatementResult | null)[] = [];
  const errors: (ReturnType<typeof hranaError> | null)[] = [];
  for (const { condition, stmt } of steps) {
    let result: StatementResult | null = null;
    let error: ReturnType<typeof hranaError> | null = null;
    if (!condition || holds(condition, { stream, results, errors })) {
      try {
        result = execute(stream, stmt);
      } catch (thrown) {
        error = hranaError(thrown);
      }
    }
    results.push(result);
    errors.push(error);
  }
  return { step_results: results, step_errors: errors };
}

interface Progress {
  readonly stream: Stream;
  readonly results: readonly unknown[];
  readonly errors: readonly unknown[];
}

function holds(condition: Condition, progress: Progress): boolean {
  switch (condition.type) {
    case "ok":
      return (progress.results[condition.step] ?? null) !== null;
    case "error":
      return (progress.errors[condition.step] ?? null) !== null;
    case "not":
      return !holds(condition.cond, progress);
    case "and":
      return condition.conds.every((one) => holds(one, progress));
    case "or":
      return condition.conds.some((one) => holds(one, progress));
    case "is_autocommit":
      return !progress.stream.database.inTransaction;
  }
}

function execute(stream: Stream, { sql, sql_id, args }: HranaStatement): StatementResult {
  const text = sql ?? stream.texts.get(sql_id ?? -1);
  if (text === undefined) throw new Error("Unknown sql_id");
  // A server refuses writes in a read-only transaction; the library under this one does not.
  if (/^BEGIN\b.*READONLY/i.test(text)) stream.database.exec("PRAGMA query_only = ON");
  if (/^(COMMIT|ROLLBACK)\b/i.test(text)) stream.database.exec("PRAGMA query_only = OFF");
  if (/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/i.test(text)) {
    // Prepared, one that is refused would count as under way, and no later COMMIT would go through.
    stream.database.exec(text);
    return { cols: [], rows: [], affected_row_count: 0 };
  }
  const statement = stream.database.prepare(text);
  const bound = args.map(decoded);
  if (!statement.reader) {
    return { cols: [], rows: [], affected_row_count: statement.run(bound).changes };
  }
  const cols = statement.columns().map(({ name }) => ({ name }));
  const rows = statement.raw(true).safeIntegers(true).all(bound).map((row) => {
    if (!Array.isArray(row)) throw new TypeError("The driver returned a row that is no array");
    return row.map(encoded);
  });
  const writes = /\breturning\b/i.test(text);
  return { cols, rows, affected_row_count: writes ? rows.length : 0 };
}

function decoded(one: z.infer<typeof value>): string | number | bigint | Uint8Array | null {
  switch (one.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(one.value);
    case "blob":
      return Uint8Array.from(atob(one.base64), (character) => character.charCodeAt(0));
    default:
      return one.value;
  }
}

function encoded(cell: unknown): z.infer<typeof value> {
  if (cell === null) return { type: "null" };
  if (typeof cell === "bigint") return { type: "integer", value: String(cell) };
  if (typeof cell === "number") return { type: "float", value: cell };
  if (typeof cell === "string") return { type: "text", value: cell };
  if (cell instanceof Uint8Array) {
    return { type: "blob", base64: btoa(String.fromCharCode(...cell)) };
  }
  throw new TypeError(`The driver returned a ${typeof cell}`);
}

function hranaError(error: unknown): { readonly message: string; readonly code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  return { message: error instanceof Error ? error.message : String(error), code };
}
