/** Ports of push messages: the library that encrypts them, and the keys that name their sender (RFC 8291, 8292). */

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
