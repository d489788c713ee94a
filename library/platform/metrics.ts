/** Counts of an instance in Prometheus' text format (definitions 8, `METRICS_TOKEN`). No label identifies a caller. */
import type { Gauge } from "prom-client";
import { type Observe, VERSION } from "../../shared/contract/mod.ts";
import type { Figures, Metrics, OutboxFigures } from "../../shared/runtime/ports.ts";

/** An instance's counts, and the functions that fill them. */
export interface OpenedMetrics {
  readonly metrics: Metrics;
  readonly observe: Observe;
}

/** Buckets in seconds. A read takes single milliseconds; a body may take at most 30 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** Known methods. Any other would be a label of the caller's choice. */
const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);
const OTHER = "other";
const NONE = "none";

/** Opens the metrics. The library is loaded here, so a process without a token never loads it. */
export async function openMetrics(options: {
  readonly token: string;
  /** Name of the project. */
  readonly name: string;
  readonly contract: string;
}): Promise<OpenedMetrics> {
  const { Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "quickback_http_requests_total",
    help: "Requests that were answered, by route, status and the layer that refused",
    labelNames: ["method", "route", "status", "layer"],
    registers,
  });
  const durations = new Histogram({
    name: "quickback_http_request_duration_seconds",
    help: "Time until an answer began to leave",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });
  const { name: project, contract } = options;
  gauge("quickback_build_info", "Version of the compiler", ["version", "project", "contract"])
    .set({ version: VERSION, project, contract }, 1);
  gauge("process_start_time_seconds", "When the process started, since the epoch")
    .set(performance.timeOrigin / 1000);
  const memory = gauge("process_resident_memory_bytes", "Memory of the process");
  const fill = databaseGauges(gauge);
  return {
    metrics: {
      token: options.token,
      mediaType: registry.contentType,
      text(figures) {
        memory.set(Deno.memoryUsage().rss);
        fill(figures);
        return registry.metrics();
      },
    },
    observe() {
      const since = performance.now();
      return (answered) => {
        const labels = {
          method: METHODS.has(answered.method) ? answered.method : OTHER,
          route: answered.route ?? NONE,
        };
        requests.inc({ ...labels, status: answered.status, layer: answered.layer ?? NONE });
        durations.observe(labels, (performance.now() - since) / 1000);
      };
    },
  };
}

type MakeGauge = (name: string, help: string, labels?: readonly string[]) => Gauge;

const OUTBOX_GAUGES: readonly (readonly [keyof OutboxFigures, string, string])[] = [
  ["waiting", "quickback_outbox_waiting", "Rows whose work is not done: the depth of the queue"],
  ["oldestSeconds", "quickback_outbox_oldest_seconds", "Age of the oldest row that waits"],
  ["overdueSeconds", "quickback_outbox_overdue_seconds", "Time since the first attempt was due"],
  ["dead", "quickback_outbox_dead", "Rows that failed for good and are kept: dead letters"],
];

/** Sets the figures of the database. A figure that could not be read is omitted instead of repeated. */
function databaseGauges(gauge: MakeGauge): (figures: Figures | null) => void {
  const up = gauge("quickback_database_up", "1 while the database answers, else 0");
  const migrations = gauge("quickback_migrations", "Migrations of this version", ["state"]);
  const outboxes = OUTBOX_GAUGES.map(([key, name, help]) =>
    [key, gauge(name, help, ["outbox"])] as const
  );
  return (figures) => {
    up.set(figures === null ? 0 : 1);
    for (const one of [migrations, ...outboxes.map(([, one]) => one)]) one.reset();
    const { applied, pending } = figures?.migrations ?? {};
    if (applied !== undefined) migrations.set({ state: "applied" }, applied);
    if (pending !== undefined) migrations.set({ state: "pending" }, pending);
    for (const { outbox, ...counts } of figures?.outboxes ?? []) {
      for (const [key, one] of outboxes) {
        const value = key === "outbox" ? null : counts[key];
        if (value !== null) one.set({ outbox }, value);
      }
    }
  };
}
