/** Ports of files: where their bytes stand, and how forms that carry them are read (definitions 8, `STORAGE_URL`). */
import type { FileValue } from "../contract/mod.ts";

/** Bytes of one range, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch; of an upload that is under way, the time of its newest bytes. */
  readonly modifiedAt: number;
}

/** A use of one object by whoever has the address for it. */
export type AddressedUse =
  | {
    readonly method: "GET";
    readonly key: string;
    readonly file: FileValue;
    /** A browser saves it, and does not show it. */
    readonly isSaved: boolean;
  }
  | {
    readonly method: "PUT";
    readonly key: string;
    /** Media type. */
    readonly type: string;
    /** Bytes. */
    readonly size: number;
  };

/** A request that its holder may make, without other credentials. */
export interface AddressedRequest {
  readonly url: string;
  /** To be sent with it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Objects by their keys. No object that a row refers to is written again. */
export interface FileStore {
  /**
   * Resolves when the object would outlive a crash of the host. What `body` throws is thrown, and nothing is kept then. Throws
   * `StorageFullError`; each of a store's functions throws `StorageUnavailableError`.
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly size: number; readonly sha256: string }>;
  /** Null: there is no such object. */
  get(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>;
  /** One that is not there is no error. */
  remove(key: string): Promise<void>;
  /** Objects whose keys begin so, uploads that never ended among them; in any order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** An address of the store's own server, good for so many seconds; absent: the store has none. Throws `StorageFullError`. */
  presign?(use: AddressedUse, seconds: number): Promise<AddressedRequest>;
}

/** Addresses of objects (definitions 3): of the store's own server, else of the API. */
export interface FileAddresses {
  /** Good for so many seconds. */
  presign(use: AddressedUse, seconds: number): Promise<AddressedRequest>;
  /** The use that an address of the API stands for; null: it is none, or its time is over. */
  open(method: AddressedUse["method"], address: string): Promise<AddressedUse | null>;
  /** A text by which `holder` confirms what was sent. `until`: milliseconds since the epoch. */
  signUpload(upload: PendingUpload, holder: string, until: number): Promise<string>;
  /** Null: it is none of theirs, or its time is over. */
  openUpload(text: string, holder: string): Promise<PendingUpload | null>;
}

/** A file whose bytes come to the store by an address, and that no row refers to yet. */
export interface PendingUpload extends Pick<FileValue, "name" | "size" | "type"> {
  /** Of its bytes until then. */
  readonly key: string;
  /** Null: nobody said. */
  readonly sha256: string | null;
}

/** Files of one tenant that are bounded together while no row refers to them: those of one column, or those that code put. */
export interface UnreferredPool {
  /** Begins the keys of its files. */
  readonly files: string;
  /** Begins the keys of what comes by addresses; null: nothing does. */
  readonly uploads: string | null;
  /** Bytes that they may have together. */
  readonly limit: number;
  /** Asks how many bytes those of its files have that rows refer to now. */
  referred(): Promise<number>;
}

/** A file on its way into a record. */
export interface FileWrite {
  readonly record: string;
  /** Bytes, at most. */
  readonly size: number;
  /** Bytes of the files whose place it takes. */
  readonly replaced: number;
  /** Files that the record keeps of those that are on their way into it. */
  readonly places: number;
}

/** Bounds what files take up to which no row refers: replaced ones, and those that no row has come to refer to. */
export interface UnreferredFiles {
  /**
   * Throws `StorageFullError` where the write could leave more than the pool may have. The result is to be called when it has
   * ended, with the bytes that it has put into the store; null: it has put none.
   */
  begin(pool: UnreferredPool, write: FileWrite): Promise<(kept: number | null) => void>;
  /** Throws `StorageFullError` where the pool has more than it may have, beside these bytes of its own. */
  require(pool: UnreferredPool, own: number): Promise<void>;
  /** Counts a file of so many bytes, to which no row refers yet. */
  add(pool: UnreferredPool, bytes: number): void;
  /** Counts what may come to an address. `until`: milliseconds since the epoch. Throws `StorageFullError`. */
  give(pool: UnreferredPool, upload: GivenAddress): Promise<void>;
  /** Counts what came to an address as removed; an address of the API leads nowhere from then on. */
  spend(pool: UnreferredPool, upload: Pick<GivenAddress, "key" | "size">): void;
  isSpent(key: string): boolean;
  /** Tells that the store has been collected. */
  collected(): void;
}

export interface GivenAddress {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Begins the keys of files that belong to no tenant. */
export const PUBLIC_FILES = "_public";

/** Returns the prefix that the keys of one tenant's files share, of the key of one of them; null where the file is no tenant's. */
export function tenantOfKey(key: string): string | null {
  const parts = key.split("/");
  const isTenants = parts.length > 2 && parts[0] !== PUBLIC_FILES;
  return isTenants ? `${parts.slice(0, -2).join("/")}/` : null;
}

/** The bound that an upload would go beyond. */
export interface StorageBound {
  /** Whose bytes are bounded; absent: those of all. */
  readonly scope?: "tenant";
  /** True: of these, those of files that no row refers to. */
  readonly isUnreferred?: boolean;
  /** Bytes. */
  readonly limit: number;
}

/** Thrown by a store that has no room. */
export class StorageFullError extends Error {
  override readonly name = "StorageFullError";
  readonly bound: StorageBound | null;
  constructor(
    message: string,
    { bound = null, ...options }: ErrorOptions & { readonly bound?: StorageBound | null } = {},
  ) {
    super(message, options);
    this.bound = bound;
  }
}

/** Thrown by a store that cannot be reached, or that says that it cannot serve now. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
}

/** The one file of a form. */
export interface FormFile {
  readonly name: string;
  /** As its part says; null: it says nothing. */
  readonly type: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Thrown for a form that holds no file, several, or anything else, with the reason. */
export class FormError extends Error {
  override readonly name = "FormError";
}

/** As a host opens them. */
export interface UnaddressedFiles {
  readonly store: FileStore;
  /**
   * Reads `multipart/form-data` up to its file. The file's body throws `FormError` at its end when something follows that may
   * not; both throw it for what is no form.
   */
  readForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<FormFile>;
  /** Milliseconds for which an object that nothing refers to is kept. */
  readonly graceMs: number;
}

export interface FilePorts extends UnaddressedFiles {
  readonly addresses: FileAddresses;
  readonly unreferred: UnreferredFiles;
}
