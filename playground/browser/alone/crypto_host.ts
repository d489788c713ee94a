/**
 * Provides the platform's cryptography to the API of a tab, because browsers do not offer it in an opaque origin. Keys stay on
 * this side; the worker gets handles of the keys that it created.
 */

/** Handle that represents a key on the worker's side. */
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

  /** Runs a method of `crypto.subtle`. Handles represent keys in the arguments and in the result. */
  async call(method: CryptoMethod, args: readonly unknown[]): Promise<unknown> {
    if (!METHODS.includes(method)) throw new TypeError(`There is no ${method}`);
    const given = args.map((arg) => this.#keyOf(arg));
    return this.#handled(await Reflect.apply(crypto.subtle[method], crypto.subtle, given));
  }

  #keyOf(arg: unknown): unknown {
    if (typeof arg !== "object" || arg === null) return arg;
    if ("keyHandle" in arg) return this.#keys.get(Number(arg.keyHandle));
    // ECDH passes the other party's key in its parameters.
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
