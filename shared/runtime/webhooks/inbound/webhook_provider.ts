/** A source of inbound webhooks: its signatures, and the reading of its payloads (contract 4.6, 5.8, definitions 6). */

export interface InboundMessage {
  /** The body, byte for byte. */
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ParsedEvent {
  /** Without the provider's prefix. */
  readonly type: string;
  readonly data: unknown;
  /** The provider's own id of the event: what a repetition is known by. */
  readonly externalId?: string | undefined;
}

export interface WebhookProvider {
  readonly name: string;
  /** Within the tolerance and in constant time. */
  verify(message: InboundMessage): Promise<boolean>;
  /** Null for a payload that says nothing about an event; throws the refusal of one that is not in its notation. */
  parse(payload: string, headers: Headers): ParsedEvent | null | Promise<ParsedEvent | null>;
}

/** `<PROVIDER>_WEBHOOK_SECRET` (contract 5.8). */
export function secretVariable(provider: string): string {
  return `${provider.toUpperCase().replaceAll("-", "_")}_WEBHOOK_SECRET`;
}
