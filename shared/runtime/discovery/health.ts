/** `GET /health`: whether this instance can serve, which takes its database (definitions 7). */
import { healthOperation } from "../../surface/service_operations.ts";
import type { AppContext } from "../context.ts";
import { ping } from "../data/ping.ts";
import { type Admitted, type Endpoint, serviceGate } from "../gate.ts";
import { jsonResponse } from "../response/record.ts";

export function healthEndpoint({ project }: AppContext): Endpoint {
  const operation = healthOperation(project);
  const { method, path } = operation;
  return { id: "health", method, path, gate: serviceGate(operation), handle: health };
}

async function health({ app, database, requestId }: Admitted): Promise<Response> {
  const { contract } = app.project;
  try {
    await ping(database);
    return jsonResponse(JSON.stringify({ status: "ok", database: "ok", contract }), 200);
  } catch (error) {
    app.ports.logger.log({ level: "error", message: "Database check failed", requestId, error });
    const body = { status: "unavailable", database: "failed", contract };
    return jsonResponse(JSON.stringify(body), 503);
  }
}
