/** Server-Sent Events as text (WHATWG HTML, 9.2). */

/** JSON has no raw line breaks, so the data is one line. */
export function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment: clients ignore it, proxies see that the stream lives. */
export const KEEP_ALIVE = ": keep-alive\n\n";
