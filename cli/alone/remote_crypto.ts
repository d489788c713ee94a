/** Provides `crypto.subtle` to a worker that has none: each call goes to the page, which keeps the keys. */
import type { Remote } from "comlink";
import type { CryptoHost, CryptoMethod, KeyHandle } from "../../playground/mod.ts";

/** Key class; libraries recognize a key by this class name. */
class RemoteKey {
  readonly [Symbol.toStringTag] = "CryptoKey";
  readonly type;
  readonly extractable;
  readonly algorithm;
  readonly usages;

  constructor(readonly handle: KeyHandle) {
    ({
      type: this.type,
      extractable: this.extractable,
      algorithm: this.algorithm,
      usages: this.usages,
    } = handle);
  }
}

/** Installs the cryptography. It must run before any other code uses it. */
export function installCrypto(host: Remote<CryptoHost>): void {
  const subtle = new Proxy({}, {
    get: (_, method: CryptoMethod) => async (...args: readonly unknown[]) =>
      keyed(await host.call(method, args.map(sent))),
  });
  Object.defineProperty(crypto, "subtle", { value: subtle });
  Object.defineProperty(globalThis, "CryptoKey", { value: RemoteKey });
}

function sent(arg: unknown): unknown {
  if (arg instanceof RemoteKey) return arg.handle;
  return typeof arg === "object" && arg !== null && "public" in arg
    ? { ...arg, public: sent(arg.public) }
    : arg;
}

function keyed(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  if ("keyHandle" in result) return new RemoteKey(result as KeyHandle);
  if (!("privateKey" in result)) return result;
  const { publicKey, privateKey } = Object(result);
  return { publicKey: keyed(publicKey), privateKey: keyed(privateKey) };
}
