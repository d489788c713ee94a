/**
 * Defines the record of a route of a generated API. Its router, 405 `Allow`, gate, OpenAPI, manifests, MCP tools, client types
 * and proofs are computed from it. Constructors make it for resources, files, actions, the service and its accounts; `routesOf`
 * lists all of a project.
 */
import type { RateLimit } from "../contract/mod.ts";
import type { Access } from "../model/mod.ts";
import type { RoleRule } from "./admission.ts";
import type { Who } from "./who.ts";

export interface Route {
  /** Id of the route, stable for the same configuration (contract 9.3) and unique in the project. */
  readonly id: string;
  /** Group in OpenAPI: the resource, or a part of the service. */
  readonly tag: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path with the contract prefix; path parameters as `:id`. */
  readonly path: string;
  /** The kind under which `operations.manifest.json` lists the route. */
  readonly listedAs: string;
  /** Feature that defines the route; null: the service does. */
  readonly feature: string | null;
  readonly who: Who;
  /** Rate limit of the route; null: its calls are not counted. */
  readonly rateGate: RouteRate | null;
  /** True when the route accepts an `Idempotency-Key`. */
  readonly keyed: boolean;
  /** The project's own rule; absent: the service decides. */
  readonly access?: Access;
  /** Roles of the service's own route, one of which the caller needs; null or absent: `who` decides alone. */
  readonly rule?: RoleRule | null;
}

/** Rate limit of a route's calls (contract 8.1). */
export interface RouteRate {
  /** The limit; null: there is none. */
  readonly limit: RateLimit | null;
  bucketOf(caller: string): string;
}

/** Tag of routes that belong to no resource; a resource's tag is its name. */
export const SERVICE_TAG = "Service";
export const WEBHOOKS_TAG = "Webhooks";
export const JOBS_TAG = "Jobs";
export const ACCOUNTS_TAG = "Accounts";
