/** A step of the tour as one line for a POSIX shell in which the demo's variable is set. */
import { shellWord } from "../../shell_word.ts";
import { type Credentials, headerWord } from "./credential_words.ts";
import type { TourStep } from "./tour.ts";

/** `origin` without a trailing slash. */
export function curlLine(
  { request, visitor }: Pick<TourStep, "request" | "visitor">,
  { origin, ...credentials }: Credentials & { readonly origin: string },
): string {
  const { method, path, body } = request;
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(visitor ? ["-H", headerWord(visitor, credentials)] : []),
    ...(body ? ["-H 'content-type: application/json' -d", shellWord(JSON.stringify(body))] : []),
    shellWord(origin + path),
  ].join(" ");
}
