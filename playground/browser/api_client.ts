/** The running API, asked through the playground's server: in whose name, the page says; what proves it, the server keeps. */
import { API_ANSWER, type ApiAnswer, type ApiRequest, ROUTES } from "../protocol.ts";
import type { Connection } from "./connection.ts";

export type AskApi = (request: ApiRequest) => Promise<ApiAnswer>;

export function apiClient(connection: Connection): AskApi {
  return async (request) =>
    API_ANSWER.parse(
      await connection.json(ROUTES.requests, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      }),
    );
}
