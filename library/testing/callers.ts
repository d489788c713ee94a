/** Callers of the API in this process: their requests, and the typed client. */
import { type ApiShape, type Client, createClient } from "../client/mod.ts";
import type { ContractVersion } from "../../shared/contract/mod.ts";
import type { App, PlantedRows } from "../../shared/runtime/mod.ts";
import type { SeedRows } from "./seed_rows.ts";

/** Sends requests to the API. Paths begin with `/`. A body that is no text is sent as JSON. */
export interface TestCaller<Api extends ApiShape = ApiShape> {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
  /** The typed client of `quickback/client`. Its calls throw the API's refusals. */
  readonly client: Client<Api>;
  /** Creates rows as this caller, all or none. Returns the named rows. */
  seed(rows: SeedRows): Promise<PlantedRows>;
}

export const BASE_URL = "http://localhost:8000";
const NOBODY = { clientIp: "127.0.0.1" };

/** Headers of each request of a caller. */
export type CallerHeaders = Readonly<Record<string, string>>;

export function testCaller<Api extends ApiShape>(
  app: App,
  contract: ContractVersion,
  headers: CallerHeaders,
): Omit<TestCaller<Api>, "seed"> {
  const fetch: TestCaller["fetch"] = (path, init) =>
    app.fetch(requestOf(path, init, headers), NOBODY);
  const send = (method: string, path: string, body: unknown) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(path, { method, ...(body === undefined ? {} : { body: text }) });
  };
  return {
    fetch,
    get: (path) => fetch(path),
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => fetch(path, { method: "DELETE" }),
    client: clientOf<Api>(contract, (request) => {
      const given = new Headers(request.headers);
      given.set("host", new URL(BASE_URL).host);
      for (const [name, value] of Object.entries(headers)) given.set(name, value);
      return app.fetch(new Request(request, { headers: given }), NOBODY);
    }),
  };
}

/** Makes the client. The contract version must be passed, because types do not exist at run time. */
function clientOf<Api extends ApiShape>(
  contract: ContractVersion,
  fetch: (request: Request) => Promise<Response>,
): Client<Api> {
  const client: Client<ApiShape> = createClient<ApiShape>(BASE_URL, {
    contract,
    fetch,
    attempts: 1,
  });
  return Object(client);
}

function requestOf(path: string, init: RequestInit = {}, caller: CallerHeaders): Request {
  if (!path.startsWith("/")) {
    throw new Error(
      `A path of the API begins with "/", as in "/api/v1/notes"; this one is "${path}"`,
    );
  }
  const headers = new Headers(init.headers);
  headers.set("host", new URL(BASE_URL).host);
  if (typeof init.body === "string" && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  for (const [name, value] of Object.entries(caller)) headers.set(name, value);
  return new Request(BASE_URL + path, { ...init, headers });
}
