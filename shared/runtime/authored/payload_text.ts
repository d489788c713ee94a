/** Payloads that authors' code leaves for later work: events, push messages, jobs and their steps. */

/** Formats a payload as JSON. Throws for a value that is not JSON, or that is too large. */
export function payloadText(payload: unknown, what: string, maxBytes: number): string {
  const text = JSON.stringify(payload ?? null);
  if (text === undefined) throw new TypeError(`The payload of a ${what} must be JSON`);
  if (new TextEncoder().encode(text).byteLength > maxBytes) {
    throw new TypeError(`The payload of a ${what} exceeds ${maxBytes} bytes`);
  }
  return text;
}
