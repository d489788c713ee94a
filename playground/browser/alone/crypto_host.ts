/**
 * The platform's cryptography for the API of a tab: browsers leave it out where an origin is opaque. Keys stay here;
 * the worker has handles of those that it made.
 */

/** A key as the other side has it. */
export interface KeyHandle {
  readonly keyHandle: number;
  readonly type: KeyType;
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: readonly KeyUsage[];
}

const METHODS = [
  "decrypt",
  "deriveBits",
  "deriveKey",
  "digest",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "verify",
] as const;

export type CryptoMethod = typeof METHODS[number];

export class CryptoHost {
  readonly #keys = new Map<number, CryptoKey>();
  #last = 0;

  /** Runs a method of `crypto.subtle`; handles stand for keys on the way in and out. */
  async call(method: CryptoMethod, args: readonly unknown[]): Promise<unknown> {
    if (!METHODS.includes(method)) throw new TypeError(`There is no ${method}`);
    const given = args.map((arg) => this.#keyOf(arg));
    return this.#handled(await Reflect.apply(crypto.subtle[method], crypto.subtle, given));
  }

  #keyOf(arg: unknown): unknown {
    if (typeof arg !== "object" || arg === null) return arg;
    if ("keyHandle" in arg) return this.#keys.get(Number(arg.keyHandle));
    // ECDH names the other side's key in its parameters.
    if ("public" in arg) return { ...arg, public: this.#keyOf(arg.public) };
    return arg;
  }

  #handled(result: unknown): unknown {
    if (result instanceof CryptoKey) {
      this.#keys.set(++this.#last, result);
      const { type, extractable, algorithm, usages } = result;
      return { keyHandle: this.#last, type, extractable, algorithm, usages } satisfies KeyHandle;
    }
    if (typeof result !== "object" || result === null || !("privateKey" in result)) return result;
    const { publicKey, privateKey } = Object(result);
    return { publicKey: this.#handled(publicKey), privateKey: this.#handled(privateKey) };
  }
}
