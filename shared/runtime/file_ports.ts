/** Ports of files: the store of their bytes, and the parser of forms that contain them (definitions 8, `STORAGE_URL`). */
import type { FileValue } from "../contract/mod.ts";

/** Bytes of one range, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch; for an unfinished upload, the time of its newest bytes. */
  readonly modifiedAt: number;
}

/** A use of one object that its address permits. */
export type AddressedUse =
  | {
    readonly method: "GET";
    readonly key: string;
    readonly file: FileValue;
    /** True when a browser saves the file instead of showing it. */
    readonly isSaved: boolean;
  }
  | {
    readonly method: "PUT";
    readonly key: string;
    /** Media type. */
    readonly type: string;
    /** Size in bytes. */
    readonly size: number;
  };

/** A request that needs no other credentials. */
export interface AddressedRequest {
  readonly url: string;
  /** Headers to send with the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Objects by their keys. An object to which a row refers is never written again. */
export interface FileStore {
  /**
   * Stores an object; resolves when it would survive a crash of the host. An error of `body` is thrown, and nothing is kept
   * then. Throws `StorageFullError`; each of a store's functions throws `StorageUnavailableError`.
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly size: number; readonly sha256: string }>;
  /** Returns the object's bytes; null: there is no such object. */
  get(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>;
  /** Removes the object. A missing object is no error. */
  remove(key: string): Promise<void>;
  /** Lists the objects whose keys have this prefix, unfinished uploads among them; in any order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * Makes an address of the store's own server, valid for so many seconds; absent: the store has none. Throws
   * `StorageFullError`.
   */
  presign?(use: AddressedUse, seconds: number): Promise<AddressedRequest>;
}

/** Addresses of objects (definitions 3): of the store's own server, else of the API. */
export interface FileAddresses {
  /** Makes an address that is valid for so many seconds. */
  presign(use: AddressedUse, seconds: number): Promise<AddressedRequest>;
  /** Returns the use that an address of the API permits; null: the address is malformed, forged or expired. */
  open(method: AddressedUse["method"], address: string): Promise<AddressedUse | null>;
  /** Makes a text by which `holder` confirms an upload. `until`: milliseconds since the epoch. */
  signUpload(upload: PendingUpload, holder: string, until: number): Promise<string>;
  /** Opens a text that `signUpload` made; null: it is not this holder's, or it has expired. */
  openUpload(text: string, holder: string): Promise<PendingUpload | null>;
}

/** A file whose bytes are sent to the store by an address, and to which no row refers yet. */
export interface PendingUpload extends Pick<FileValue, "name" | "size" | "type"> {
  /** Key of its bytes until then. */
  readonly key: string;
  /** SHA-256 of the bytes; null: the client did not give it. */
  readonly sha256: string | null;
}

/** Files of one tenant that are bounded together while no row refers to them: those of one column, or those that code put. */
export interface UnreferredPool {
  /** Prefix of the keys of its files. */
  readonly files: string;
  /** Prefix of the keys of uploads by address; null: there are none. */
  readonly uploads: string | null;
  /** Maximum bytes of its files together. */
  readonly limit: number;
  /** Returns the bytes of its files to which rows refer now. */
  referred(): Promise<number>;
}

/** A file on its way into a record. */
export interface FileWrite {
  readonly record: string;
  /** Maximum size in bytes. */
  readonly size: number;
  /** Bytes of the files that it replaces. */
  readonly replaced: number;
  /** Number of files for which the record has room. */
  readonly places: number;
}

/** Bounds the files to which no row refers: replaced ones, and those to which no row has ever referred. */
export interface UnreferredFiles {
  /**
   * Begins a write. Throws `StorageFullError` where the write could leave more than the pool allows. Call the result when the
   * write has ended, with the bytes that it has put into the store; null: it has put none.
   */
  begin(pool: UnreferredPool, write: FileWrite): Promise<(kept: number | null) => void>;
  /** Throws `StorageFullError` where the pool has more than it allows, beside these bytes of its own. */
  require(pool: UnreferredPool, own: number): Promise<void>;
  /** Counts a file of so many bytes, to which no row refers yet. */
  add(pool: UnreferredPool, bytes: number): void;
  /** Counts the bytes that may be sent to an address. `until`: milliseconds since the epoch. Throws `StorageFullError`. */
  give(pool: UnreferredPool, upload: GivenAddress): Promise<void>;
  /** Counts the bytes of an address as removed; an address of the API is invalid from then on. */
  spend(pool: UnreferredPool, upload: Pick<GivenAddress, "key" | "size">): void;
  isSpent(key: string): boolean;
  /** Notes that the store has been collected. */
  collected(): void;
}

export interface GivenAddress {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Prefix of the keys of files that belong to no tenant. */
export const PUBLIC_FILES = "_public";

/**
 * Returns the prefix that the keys of one tenant's files share, from the key of one of them; null where the file belongs to no
 * tenant.
 */
export function tenantOfKey(key: string): string | null {
  const parts = key.split("/");
  const isTenants = parts.length > 2 && parts[0] !== PUBLIC_FILES;
  return isTenants ? `${parts.slice(0, -2).join("/")}/` : null;
}

/** The bound that an upload would exceed. */
export interface StorageBound {
  /** The tenant's own bound; absent: the bound of all files. */
  readonly scope?: "tenant";
  /** True: the bound is on files to which no row refers. */
  readonly isUnreferred?: boolean;
  /** Bound in bytes. */
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

/** Thrown by a store that is unreachable, or that reports that it cannot serve now. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
}

/** The one file of a form. */
export interface FormFile {
  readonly name: string;
  /** The type that its part names; null: it names none. */
  readonly type: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Thrown, with the reason, for a form without a file, with several files, or with anything else. */
export class FormError extends Error {
  override readonly name = "FormError";
}

/** Files as a host opens them. */
export interface UnaddressedFiles {
  readonly store: FileStore;
  /**
   * Reads `multipart/form-data` up to its file. The file's body throws `FormError` at its end when a further part follows; both
   * throw it for a malformed form.
   */
  readForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<FormFile>;
  /** Milliseconds for which an object is kept to which no row refers. */
  readonly graceMs: number;
}

export interface FilePorts extends UnaddressedFiles {
  readonly addresses: FileAddresses;
  readonly unreferred: UnreferredFiles;
}
