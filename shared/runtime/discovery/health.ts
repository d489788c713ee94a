/** Handlers for whoever runs the API: whether it is up, and whether it may be sent requests (definitions 7, 8). */
import { RIGHTS_MAX_AGE_MS, VERSION } from "../../contract/mod.ts";
import type { AppContext } from "../context.ts";
import { type Migration, pendingMigrations } from "../data/migrations.ts";
import { ping } from "../data/sql.ts";
import type { Admitted, Endpoint } from "../gate.ts";
import { jsonResponse } from "../response/record.ts";

/** A copy that is this many times older than rights may be is not ready. */
const COPY_MAX_BOUNDS = 10;

/** `GET /health`: whether this instance can serve, which takes its database (definitions 7). */
export function healthHandler(
  { project, ports: { copy }, settings: { databaseMode: mode = "file" } }: AppContext,
): Endpoint["handle"] {
  const { contract, name } = project;
  const about = { contract, version: VERSION, project: name };
  return async (request) => {
    const answers = await holds(request, () => ping(request.database));
    const { reachable, behindFrames, behindMs } = { reachable: answers, ...copy?.state() };
    const body = {
      status: answers ? "ok" : "unavailable",
      database: { mode, reachable, ...(copy ? { behindFrames, behindMs } : {}) },
      ...about,
    };
    return jsonResponse(JSON.stringify(body), answers ? 200 : 503);
  };
}

/**
 * `GET /ready`: tells whether a load balancer may send requests here. All checks run each time, and only their names are
 * answered. `migrations` null: the host does not know them.
 */
export function readyHandler(
  { ports: { copy }, settings: { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS } }: AppContext,
  migrations: readonly Migration[] | null,
): Endpoint["handle"] {
  return async (request) => {
    const { database } = request;
    const isUp = await holds(request, () => ping(database));
    const checks = {
      database: isUp,
      ...(migrations === null ? {} : {
        migrations: isUp && await holds(request, async () => {
          const waiting = await pendingMigrations(database, migrations);
          if (waiting > 0) throw new Error(`${waiting} migrations wait`);
        }),
      }),
      ...(copy
        ? {
          copy: await holds(request, async () => {
            await copy.fresh(COPY_MAX_BOUNDS * rightsMaxAgeMs);
          }),
        }
        : {}),
    };
    const ready = Object.values(checks).every((one) => one);
    const said = Object.entries(checks).map(([name, one]) => [name, one ? "ok" : "failed"]);
    const body = { ready, checks: Object.fromEntries(said) };
    return jsonResponse(JSON.stringify(body), ready ? 200 : 503);
  };
}

/** False when the check throws: the log says why, the answer does not. */
async function holds({ app, requestId }: Admitted, check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    const message = "Database check failed";
    app.ports.logger.log({ level: "error", message, requestId, error });
    return false;
  }
}
