/** The facts about a request that a trace gets (definitions 8): its route, and nothing else that its caller chose. */
export interface RoutedRequest {
  readonly method: string;
  /** Parameters as `:id`. */
  readonly route: string;
  readonly requestId: string;
}

export type OnRouted = (routed: RoutedRequest) => void;
