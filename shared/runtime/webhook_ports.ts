/** Ports of webhooks and push messages, besides those that every API needs (contract 4.5, 4.6, 8.2; RFC 8291, 8292). */
import type { Queue } from "./queue_ports.ts";

/** Answers of a trusted resolver for a name, to both questions, A and AAAA. */
export interface Resolution {
  /** Every address of every answer, in plain notation. */
  readonly addresses: readonly string[];
  /** False: the name does not exist at all. */
  readonly exists: boolean;
  /** The reason to distrust the answer: an error, a timeout, a malformed answer, too many records; null: none. */
  readonly failure: string | null;
}

export interface Resolver {
  /** Never throws: a failure is part of the answer. */
  resolve(name: string): Promise<Resolution>;
}

export interface DialRequest {
  readonly url: string;
  /** Address to connect to, whatever the name in the URL resolves to by now. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** Bytes of the answer's body that are read at most. */
  readonly maxBytes: number;
}

export type DialOutcome =
  | {
    readonly kind: "answered";
    readonly status: number;
    readonly location: string | null;
    /** `Retry-After`, as it was sent. */
    readonly retryAfter: string | null;
    /** As much as was asked for; neither decoded nor followed. */
    readonly body: string;
  }
  | { readonly kind: "failed"; readonly reason: string };

export interface Dialer {
  /** Never throws, never follows a redirect. */
  post(request: DialRequest): Promise<DialOutcome>;
}

/** Seals the signing secrets of endpoints for the database, and kept answers with a secret in them. */
export interface SecretBox {
  /** Readable for this id only: of an endpoint, or of a kept answer. */
  seal(id: string, secret: string): Promise<string>;
  /** Null for what was sealed under another key or for another id. */
  open(id: string, text: string): Promise<string | null>;
}

/** A browser's subscription: address and keys. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface SealedPush {
  /** Name the sender and the encryption. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface PushSealer {
  /** Readable by this subscriber only; null: what stands in their subscription are no keys. */
  seal(target: PushTarget, payload: string): Promise<SealedPush | null>;
}

export interface WebhookPorts {
  readonly queue: Queue;
  readonly secrets: SecretBox;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  /** Needed by projects with push messages, and by no other. */
  readonly push?: PushSealer;
  /** Variables of the process: secrets of providers, and what handlers read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
