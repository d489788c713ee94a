/**
 * `GET /metrics`: the counts of this instance and the figures of its database, for a monitoring system (definitions 8,
 * `METRICS_TOKEN`). Refuses with `AUTH_MISSING`, `AUTH_INVALID_TOKEN` and `AUTH_RATE_LIMITED`.
 */
import { RETRY_AFTER_SECONDS } from "../../contract/mod.ts";
import { bytesEqual, sha256 } from "../../lib/bytes.ts";
import { outboxesOf, type ProjectModel, type ServiceOutbox } from "../../model/mod.ts";
import { METRICS_PATH } from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";
import { type Migration, pendingMigrations } from "../data/migrations.ts";
import { countRows } from "../data/outbox_rows.ts";
import { type Admitted, type Endpoint, refuseMissing, serviceGate } from "../gate.ts";
import { countFailedAttempt } from "../layers/1-authentication/identify.ts";
import type { Figures, Metrics } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** No description has it: it is there for whoever runs the API, and only where they want it. */
export function metricsEndpoint(
  project: ProjectModel,
  metrics: Metrics,
  migrations: readonly Migration[] | null,
): Endpoint {
  const outboxes = outboxesOf(project);
  return {
    id: "metrics",
    method: "GET",
    path: METRICS_PATH,
    gate: serviceGate({ who: "unasked" }),
    async handle(request) {
      await requireToken(request, metrics.token);
      const text = await metrics.text(await figuresOf(request, outboxes, migrations));
      return new Response(text, { headers: { "content-type": metrics.mediaType } });
    },
  };
}

async function requireToken(request: RequestContext, token: string): Promise<void> {
  const about = {
    headers: { "www-authenticate": "Bearer" },
    hint: "Send 'Authorization: Bearer <METRICS_TOKEN>'",
  };
  const sent = request.headers.get("authorization");
  if (sent === null) return refuseMissing("unasked", about);
  const [, bearer = ""] = /^Bearer +(\S+)$/i.exec(sent) ?? [];
  // Of one length for any text: how long the comparison takes says nothing of the token.
  if (bytesEqual(await sha256(bearer), await sha256(token))) return;
  if (await countFailedAttempt(request)) return refuse("AUTH_INVALID_TOKEN", about);
  const headers = { ...about.headers, "retry-after": String(RETRY_AFTER_SECONDS) };
  return refuse("AUTH_RATE_LIMITED", { headers });
}

/** Null where the database does not answer, which the log has. What was counted is told all the same, then above all. */
async function figuresOf(
  { app, database, now, requestId }: Admitted,
  outboxes: readonly ServiceOutbox[],
  migrations: readonly Migration[] | null,
): Promise<Figures | null> {
  const secondsSince = (time: string | null) =>
    time === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(time)) / 1000);
  try {
    const pending = migrations && await pendingMigrations(database, migrations);
    return {
      migrations: migrations === null || pending === null
        ? null
        : { applied: migrations.length - pending, pending },
      outboxes: await Promise.all(outboxes.map(async (table) => {
        const { waiting, oldest, due, dead } = await countRows(database, table);
        const [oldestSeconds, overdueSeconds] = [secondsSince(oldest), secondsSince(due)];
        return { outbox: table.label, waiting, oldestSeconds, overdueSeconds, dead };
      })),
    };
  } catch (error) {
    const message = "Database figures failed";
    app.ports.logger.log({ level: "error", message, requestId, error });
    return null;
  }
}
