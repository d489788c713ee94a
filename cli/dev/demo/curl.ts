/** A request as one line for a POSIX shell, complete: it works wherever it is pasted. */
import type { ApiRequest } from "./api_client.ts";

/** `origin` without a trailing slash. */
export function curlLine(request: ApiRequest, origin: string): string {
  const { method, path, credential, body } = request;
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(credential ? ["-H", quoted(`${credential.name}: ${credential.value}`)] : []),
    ...(body ? ["-H 'content-type: application/json' -d", quoted(JSON.stringify(body))] : []),
    // A question mark or a bracket means something to a shell.
    /^[\w./-]+$/.test(path) ? origin + path : quoted(origin + path),
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
