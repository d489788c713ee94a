/** A step of the tour as one line for a POSIX shell in which the visitor's variable is set. */
import { headerWord } from "./shell_variable.ts";
import type { TourStep } from "./tour.ts";

/** `origin` without a trailing slash. */
export function curlLine(
  { request, visitor }: Pick<TourStep, "request" | "visitor">,
  origin: string,
): string {
  const { method, path, body } = request;
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(visitor ? ["-H", headerWord(visitor)] : []),
    ...(body ? ["-H 'content-type: application/json' -d", quoted(JSON.stringify(body))] : []),
    // A question mark or a bracket means something to a shell.
    /^[\w./-]+$/.test(path) ? origin + path : quoted(origin + path),
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
