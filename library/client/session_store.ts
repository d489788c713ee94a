/** Stores the credentials of a signed-in user: the bearer token, and the session's cookies where no browser keeps them. */

/** A storage such as `localStorage` or `sessionStorage`. */
export interface ClientStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

export interface Kept {
  readonly token?: string;
  /** Cookies by name. In a browser there are none, because pages cannot read them. */
  readonly cookies?: Readonly<Record<string, string>>;
}

export class SessionStore {
  readonly #storage: ClientStorage;
  readonly #key: string;

  /** Makes the store of one API within the storage. */
  constructor(storage: ClientStorage, baseUrl: string) {
    this.#storage = storage;
    this.#key = `quickback:${new URL(baseUrl).origin}`;
  }

  async read(): Promise<Kept> {
    // A value that this client did not write counts as missing.
    const text = await this.#storage.getItem(this.#key);
    if (text === null) return {};
    try {
      const kept: unknown = JSON.parse(text);
      return typeof kept === "object" && kept !== null ? kept : {};
    } catch (error) {
      if (error instanceof SyntaxError) return {};
      throw error;
    }
  }

  async write(kept: Kept): Promise<void> {
    await this.#storage.setItem(this.#key, JSON.stringify(kept));
  }

  async forget(): Promise<void> {
    await this.#storage.removeItem(this.#key);
  }

  async forgetToken(): Promise<void> {
    const { token: _, ...others } = await this.read();
    await (Object.keys(others.cookies ?? {}).length === 0 ? this.forget() : this.write(others));
  }

  /** Keeps the cookies of an answer, as a browser would. */
  async keepCookies({ headers }: Response): Promise<void> {
    const lines = headers.getSetCookie();
    if (lines.length === 0) return;
    const kept = await this.read();
    const cookies = new Map(Object.entries(kept.cookies ?? {}));
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";");
      const at = pair.indexOf("=");
      const name = pair.slice(0, at).trim();
      if (attributes.some((one) => one.trim().toLowerCase() === "max-age=0")) cookies.delete(name);
      else cookies.set(name, pair.slice(at + 1).trim());
    }
    await this.write({ ...kept, cookies: Object.fromEntries(cookies) });
  }
}

/** Makes a storage that lasts as long as the program. */
export function memoryStorage(): ClientStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
