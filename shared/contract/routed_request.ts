/** What a trace is told of a request (definitions 8): where it went, and nothing else that its caller chose. */
export interface RoutedRequest {
  readonly method: string;
  /** Parameters as `:id`. */
  readonly route: string;
  readonly requestId: string;
}

export type OnRouted = (routed: RoutedRequest) => void;
