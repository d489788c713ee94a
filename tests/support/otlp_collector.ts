/** An OpenTelemetry collector of the tests: takes OTLP over HTTP as JSON, and refuses a span that says a thing twice. */
import { assertEquals } from "@std/assert";
import { z } from "zod";

const VALUE = z.record(z.string(), z.unknown());
const ATTRIBUTES = z.array(z.object({ key: z.string(), value: VALUE })).default([]);
const SPAN = z.object({
  name: z.string(),
  kind: z.number(),
  traceId: z.string(),
  status: z.object({ code: z.number() }),
  attributes: ATTRIBUTES,
  endTimeUnixNano: z.string(),
});
const RECORD = z.object({
  traceId: z.string().default(""),
  severityText: z.string(),
  body: z.object({ stringValue: z.string() }),
});
const EXPORT = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(SPAN) })) }))
    .default([]),
  resourceLogs: z.array(z.object({ scopeLogs: z.array(z.object({ logRecords: z.array(RECORD) })) }))
    .default([]),
});

export interface Span {
  readonly name: string;
  readonly traceId: string;
  /** 2 of a failure (OTLP). */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** OTLP's number for the span of a request that a server answers. */
const SERVER_KIND = 2;

export class OtlpCollector implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #said = "";
  readonly spans: Span[] = [];
  readonly records: { readonly traceId: string; readonly level: string; readonly text: string }[] =
    [];

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      this.#take(await request.text());
      return Response.json({});
    });
  }

  /** Where it listens. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** What makes a process report here. */
  get environment(): Readonly<Record<string, string>> {
    return {
      OTEL_DENO: "true",
      OTEL_SERVICE_NAME: "test",
      OTEL_EXPORTER_OTLP_ENDPOINT: this.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    };
  }

  /** Everything that came, as it came. */
  get said(): string {
    return this.#said;
  }

  #take(text: string): void {
    this.#said += text;
    const { resourceSpans, resourceLogs } = EXPORT.parse(JSON.parse(text));
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
      .filter(({ kind, endTimeUnixNano }) => kind === SERVER_KIND && endTimeUnixNano !== "0");
    for (const { name, traceId, status, attributes } of spans) {
      const pairs = attributes.map(({ key, value }) => [key, textOf(value)] as const);
      assertEquals(pairs.length, new Map(pairs).size, `${name} says a thing twice`);
      this.spans.push({
        name,
        traceId,
        status: status.code,
        attributes: Object.fromEntries(pairs),
      });
    }
    const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs)
      .flatMap(({ logRecords }) => logRecords);
    for (const { traceId, severityText, body } of records) {
      this.records.push({ traceId, level: severityText, text: body.stringValue });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** `{ "stringValue": "a" }` → `a`. */
function textOf(value: Readonly<Record<string, unknown>>): string {
  const [content] = Object.values(value);
  return typeof content === "string" ? content : JSON.stringify(content);
}
