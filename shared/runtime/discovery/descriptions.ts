/** `GET /openapi.json` and `GET /asyncapi.json`: what the compiler emitted, behind the publish gate (contract 4.7, 5.5). */
import { DISCOVERY_PATHS } from "../../surface/discovery_operations.ts";
import { jsonResponse } from "../response/record.ts";
import type { Endpoint } from "../router.ts";
import { requirePublished } from "./publish_gate.ts";

export function descriptionEndpoint(id: "openapi" | "asyncapi", document: string): Endpoint {
  return {
    id,
    method: "GET",
    path: DISCOVERY_PATHS[id],
    async handle(request) {
      await requirePublished(request);
      return jsonResponse(document, 200);
    },
  };
}
