/** Open databases of organizations. Beyond the limit the least recently used idle one is closed. */
import { type Database, DatabaseUnavailableError, type Timer } from "../../ports.ts";

interface Opened {
  readonly opening: Promise<Database>;
  isOpen: boolean;
  /** Calls in progress. */
  users: number;
  /** Is closed by the last of them. */
  isRetired: boolean;
}

interface PoolOptions {
  /** Databases that stay open. */
  readonly size: number;
  /** Absent: waiting for an opening has no time limit. */
  readonly timer: Timer | undefined;
  readonly onCloseFailed: (error: unknown) => void;
}

/** Milliseconds that anybody waits for a database to be opened and migrated. */
const OPENING_MAX_MS = 10_000;
const RETRY_AFTER_S = 5;

export class TenantPool {
  /** In the order of their last use. */
  readonly #opened = new Map<string, Opened>();
  readonly #closing = new Set<Promise<void>>();

  constructor(readonly options: PoolOptions) {}

  has(key: string): boolean {
    return this.#opened.has(key);
  }

  /** Gives the body a database that stays open meanwhile; `open` makes it where it is not open. */
  async use<T>(
    key: string,
    open: () => Promise<Database>,
    body: (database: Database) => Promise<T>,
  ): Promise<T> {
    const opened = this.#opened.get(key) ?? this.#begin(key, open);
    this.#opened.delete(key);
    this.#opened.set(key, opened);
    opened.users += 1;
    try {
      const { opening } = opened;
      return await body(opened.isOpen ? await opening : await this.#inTime(opening));
    } finally {
      opened.users -= 1;
      if (opened.isRetired && opened.users === 0) void this.#close(opened);
      this.#trim();
    }
  }

  /** Removes it, and resolves when it is closed. */
  async drop(key: string): Promise<void> {
    const opened = this.#opened.get(key);
    this.#opened.delete(key);
    if (opened) await this.#close(opened);
  }

  /** Removes it. Calls in progress continue, and no new one starts. */
  retire(key: string): void {
    const opened = this.#opened.get(key);
    if (opened === undefined) return;
    this.#opened.delete(key);
    opened.isRetired = true;
    if (opened.users === 0) void this.#close(opened);
  }

  async close(): Promise<void> {
    for (const key of [...this.#opened.keys()]) void this.drop(key);
    await Promise.all(this.#closing);
  }

  #begin(key: string, open: () => Promise<Database>): Opened {
    const opened: Opened = { opening: open(), isOpen: false, users: 0, isRetired: false };
    opened.opening.then(
      () => void (opened.isOpen = true),
      () => {
        if (this.#opened.get(key) === opened) this.#opened.delete(key);
      },
    );
    return opened;
  }

  #trim(): void {
    for (const [key, opened] of this.#opened) {
      if (this.#opened.size <= this.options.size) return;
      if (opened.users > 0) continue;
      this.#opened.delete(key);
      void this.#close(opened);
    }
  }

  #close({ opening }: Opened): Promise<void> {
    const closing = opening.then((database) => database.close(), () => undefined)
      .catch(this.options.onCloseFailed)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }

  async #inTime(opening: Promise<Database>): Promise<Database> {
    const { timer } = this.options;
    if (timer === undefined) return await opening;
    const late = Promise.withResolvers<never>();
    const stop = timer.after(OPENING_MAX_MS, () =>
      late.reject(
        new DatabaseUnavailableError("An organization's database is being opened", RETRY_AFTER_S),
      ));
    try {
      return await Promise.race([opening, late.promise]);
    } finally {
      stop();
    }
  }
}
