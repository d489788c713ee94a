/** Facts about requests for whoever watches an API: traces, metrics, the access log. */
import type { Layer, RuntimeCode } from "./codes.ts";

/** The facts about a request that a trace gets (definitions 8): its route, and nothing else that its caller chose. */
export interface RoutedRequest {
  readonly method: string;
  /** Parameters as `:id`. */
  readonly route: string;
  readonly requestId: string;
}

export type OnRouted = (routed: RoutedRequest) => void;

/** The facts about an answer that metrics and the access log get (definitions 8). */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** Parameters as `:id`; null: the path has no route. */
  readonly route: string | null;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** The layer that refused; null: none did, or the account library in its own words. */
  readonly layer: Layer | null;
  /** The code that it refused with; null with the layer. */
  readonly code: RuntimeCode | null;
}

/** Called when a request arrives; the function that it gives is told of the answer, when that begins to leave. */
export type Observe = () => (answered: AnsweredRequest) => void;
