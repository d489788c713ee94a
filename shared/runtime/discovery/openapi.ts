/** `GET /openapi.json`: the description that the compiler emitted, behind the publish gate (contract 4.7, 5.5). */
import { jsonResponse } from "../response/record.ts";
import type { Endpoint } from "../router.ts";
import { requirePublished } from "./publish_gate.ts";

export function openApiEndpoint(document: string): Endpoint {
  return {
    id: "openapi",
    method: "GET",
    path: "/openapi.json",
    async handle(request) {
      await requirePublished(request);
      return jsonResponse(document, 200);
    },
  };
}
