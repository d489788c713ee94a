/** Facts about requests for observers of an API: traces, metrics, the access log. */
import type { Layer, RuntimeCode } from "./codes.ts";

/** The facts about a request that a trace gets (definitions 8): its route, and no value that the caller chose. */
export interface RoutedRequest {
  readonly method: string;
  /** Route with parameters as `:id`. */
  readonly route: string;
  readonly requestId: string;
}

export type OnRouted = (routed: RoutedRequest) => void;

/** The facts about an answer that metrics and the access log get (definitions 8). */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** Route with parameters as `:id`; null: no route has the path. */
  readonly route: string | null;
  /** Path without the query. */
  readonly path: string;
  readonly status: number;
  /** The layer that refused; null: none did, or the account library answered. */
  readonly layer: Layer | null;
  /** The code of the refusal; null when `layer` is null. */
  readonly code: RuntimeCode | null;
}

/** Is called when a request arrives. Returns a function to call when the answer starts to leave. */
export type Observe = () => (answered: AnsweredRequest) => void;
