/** Keeps what signing in gave: the bearer token, and the session's cookies where no browser keeps them. */

/** Place in which it is kept: `localStorage`, `sessionStorage`, or anything like them. */
export interface ClientStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

export interface Kept {
  readonly token?: string;
  /** By name; none in a browser, which shows them to no page. */
  readonly cookies?: Readonly<Record<string, string>>;
}

export class SessionStore {
  readonly #storage: ClientStorage;
  readonly #key: string;

  /** One store for each API, whatever else the storage holds. */
  constructor(storage: ClientStorage, baseUrl: string) {
    this.#storage = storage;
    this.#key = `quickback:${new URL(baseUrl).origin}`;
  }

  async read(): Promise<Kept> {
    // Nothing, where the storage holds something that this client did not write.
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

  /** Takes the cookies of an answer, as a browser would. */
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

/** Kept for as long as the program runs. */
export function memoryStorage(): ClientStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
