/**
 * The platform's spans (definitions 8, OpenTelemetry). Request spans are named after their route. URLs are removed from all
 * spans, because a query may contain personal data or a code, a path a token, and a webhook's URL is a credential. Without
 * `OTEL_DENO` this does nothing.
 */
import { type AttributeValue, type Span, trace } from "@opentelemetry/api";
import type { RoutedRequest } from "../../shared/contract/mod.ts";

/** Span attributes that contain URLs, by OpenTelemetry's conventions. */
const ADDRESSES: ReadonlySet<string> = new Set(["url.full", "url.path", "url.query"]);

/** Value that replaces them. */
const REDACTED = "REDACTED";

/**
 * Redacts attributes as they are written. The platform writes URLs when it makes a span, has no setting against it, and keeps
 * earlier values beside later ones.
 */
export function redactSpans(): void {
  const probe = trace.getTracer("quickback").startSpan("probe");
  if (!probe.isRecording()) return;
  const write = probe.setAttribute;
  Object.defineProperty(Object.getPrototypeOf(probe), "setAttribute", {
    configurable: true,
    writable: true,
    value(this: Span, key: string, value: AttributeValue): Span {
      return write.call(this, key, ADDRESSES.has(key) ? REDACTED : value);
    },
  });
}

export function nameRequestSpan({ method, route, requestId }: RoutedRequest): void {
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttribute("http.route", route);
  span?.setAttribute("http.response.header.x-request-id", [requestId]);
}
