/**
 * The platform's spans (definitions 8, OpenTelemetry): those of requests named after their route, so that traces group by
 * what was asked, and all without addresses. A query may be a search for a person or carry a code that signs somebody in, a
 * path a token, and the URL of a webhook is a credential in itself. Where nobody traces (`OTEL_DENO`) nothing happens.
 */
import { type AttributeValue, type Span, trace } from "@opentelemetry/api";
import type { RoutedRequest } from "../../shared/contract/mod.ts";

/** Attributes of spans that hold addresses, by OpenTelemetry's conventions. */
const ADDRESSES: ReadonlySet<string> = new Set(["url.full", "url.path", "url.query"]);

/** The value that those have for what is left out. */
const REDACTED = "REDACTED";

/**
 * The platform writes addresses when it makes a span, has no setting against it, and keeps what was written beside what is
 * written later: they are taken out as they are written.
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
