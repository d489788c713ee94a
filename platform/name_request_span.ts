/** Names the platform's span of a request after its route, so that traces group by what was asked and not by every path. */
import { trace } from "@opentelemetry/api";

/** Nothing happens where nobody traces (`OTEL_DENO`). */
export function nameRequestSpan(method: string, route: string): void {
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttribute("http.route", route);
}
