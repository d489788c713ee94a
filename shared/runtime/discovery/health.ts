/** `GET /health`: whether this instance can serve, which takes its database (definitions 7). */
import type { RequestContext } from "../context.ts";
import { ping } from "../data/ping.ts";
import type { Endpoint } from "../router.ts";
import { jsonResponse } from "../response/record.ts";

export const HEALTH_ENDPOINT: Endpoint = {
  id: "health",
  method: "GET",
  path: "/health",
  handle: health,
};

async function health({ app, requestId }: RequestContext): Promise<Response> {
  const { contract } = app.project;
  try {
    await ping(app.ports.database);
    return jsonResponse(JSON.stringify({ status: "ok", database: "ok", contract }), 200);
  } catch (error) {
    app.ports.logger.log({ level: "error", message: "Database check failed", requestId, error });
    const body = { status: "unavailable", database: "failed", contract };
    return jsonResponse(JSON.stringify(body), 503);
  }
}
