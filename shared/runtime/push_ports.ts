/** What push messages need from their host: the library that encrypts them, and the keys that name their sender (RFC 8291, 8292). */

/** What a browser gave of its subscription. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface SealedPush {
  /** Who sends it, and how it is encrypted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface PushSealer {
  /** Readable by this subscriber only; null: what stands in their subscription are no keys. */
  seal(target: PushTarget, payload: string): Promise<SealedPush | null>;
}
