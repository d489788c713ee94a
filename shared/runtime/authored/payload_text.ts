/** Payloads of work that authors' code leaves: events, push messages, jobs and their steps. */

/** The JSON text of what a row carries; throws for what is no JSON or takes too many bytes. */
export function payloadText(payload: unknown, what: string, maxBytes: number): string {
  const text = JSON.stringify(payload ?? null);
  if (text === undefined) throw new TypeError(`The payload of a ${what} must be JSON`);
  if (new TextEncoder().encode(text).byteLength > maxBytes) {
    throw new TypeError(`The payload of a ${what} exceeds ${maxBytes} bytes`);
  }
  return text;
}
