/**
 * Preloaded into the API that `dev` starts with a playground: records the statements of the playground's own requests, and
 * resolves the name of the webhook sink to this machine. No output contains it (docs/decisions/commands.md).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import https from "node:https";
import net from "node:net";
import {
  API_TOOLS,
  type RanStatement,
  STATEMENTS_HEADER,
  TRACE_HEADER,
} from "./api_tools_words.ts";

/** Maximum size in bytes of the header with the statements; further statements are only counted. */
const HEADER_MAX = 24_000;
const ARGUMENT_MAX = 120;

interface Trace {
  readonly statements: RanStatement[];
}

const traces = new AsyncLocalStorage<Trace>();

const settings: unknown = JSON.parse(Deno.env.get(API_TOOLS) ?? "null");
// The variable is deleted, because the author's code receives the environment.
Deno.env.delete(API_TOOLS);
if (isSettings(settings)) {
  traceRequests(settings.secret);
  await noteStatements(settings.driver);
  connectSink(settings.sink);
}

interface Settings {
  readonly secret: string;
  /** Specifier of the database's driver. */
  readonly driver: string;
  readonly sink: { readonly host: string; readonly port: number };
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && "secret" in value && "sink" in value;
}

type Method = (this: object, ...args: readonly unknown[]) => unknown;

/** Replaces a method of an object. */
function replaceMethod(owner: object, name: string, make: (own: Method) => Method): void {
  const own: unknown = Reflect.get(owner, name);
  if (typeof own !== "function") throw new Error(`There is no method ${name} to replace`);
  const value = make(function (...args) {
    return Reflect.apply(own, this, args);
  });
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

/** Answers a request that contains the secret with the statements that the database ran for it. */
function traceRequests(secret: string): void {
  replaceMethod(Deno, "serve", (serve) =>
    function (options, handler) {
      if (typeof handler !== "function") return serve.call(this, options, handler);
      return serve.call(this, options, (request: Request, info: unknown) => {
        const answer = (): unknown => Reflect.apply(handler, null, [request, info]);
        return request.headers.get(TRACE_HEADER) === secret ? traced(answer) : answer();
      });
    });
}

async function traced(answer: () => unknown): Promise<unknown> {
  const trace: Trace = { statements: [] };
  const response = await traces.run(trace, answer);
  if (!(response instanceof Response)) return response;
  const headers = new Headers(response.headers);
  headers.set(STATEMENTS_HEADER, headerOf(trace.statements));
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}

/** Writes as many statements as fit, in the order in which they ran. */
function headerOf(statements: readonly RanStatement[]): string {
  let text = "[]";
  for (let count = 1; count <= statements.length; count++) {
    const longer = JSON.stringify(statements.slice(0, count));
    if (longer.length > HEADER_MAX) break;
    text = longer;
  }
  return encodeURIComponent(text);
}

/** Wraps the driver. It caches prepared statements, so each of them is wrapped once. */
async function noteStatements(driver: string): Promise<void> {
  const { default: Database }: { default: { prototype: object } } = await import(driver);
  replaceMethod(Database.prototype, "prepare", (prepare) =>
    function (sql) {
      const statement = prepare.call(this, sql);
      if (typeof statement !== "object" || statement === null) return statement;
      for (const name of ["run", "get", "all"]) {
        replaceMethod(statement, name, (run) =>
          function (args) {
            return noted(String(sql), args, name === "get", () => run.call(this, args));
          });
      }
      return statement;
    });
}

/** Records one run of a statement. `isSingle`: the statement returns at most one row. */
function noted(sql: string, args: unknown, isSingle: boolean, run: () => unknown): unknown {
  const trace = traces.getStore();
  if (trace === undefined) return run();
  const since = performance.now();
  let rows = 0;
  try {
    const result = run();
    rows = isSingle
      ? Number(result !== undefined)
      : Array.isArray(result)
      ? result.length
      : Number(Object(result)["changes"] ?? 0);
    return result;
  } finally {
    const values = Array.isArray(args)
      ? args.map((value) => {
        if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
        const text = typeof value === "string" ? JSON.stringify(value) : String(value);
        return text.length > ARGUMENT_MAX ? `${text.slice(0, ARGUMENT_MAX)}…` : text;
      })
      : [];
    trace.statements.push({ sql, args: values, rows, milliseconds: performance.now() - since });
  }
}

/** Redirects connections to that one name to a port of this machine; all others stay as they are. */
function connectSink({ host, port }: Settings["sink"]): void {
  replaceMethod(
    https.Agent.prototype,
    "createConnection",
    (connect) =>
      function (options, ...rest) {
        const target: unknown = Object(options)["host"];
        if (target === host) return net.connect({ host: "127.0.0.1", port });
        return connect.call(this, options, ...rest);
      },
  );
}
