/** Ports of files: where their bytes stand, and how forms that carry them are read (definitions 8, `STORAGE_URL`). */

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

/** Objects by their keys, which are never written twice. */
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
}

/** Thrown by a store that has no room. */
export class StorageFullError extends Error {
  override readonly name = "StorageFullError";
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

export interface FilePorts {
  readonly store: FileStore;
  /**
   * Reads `multipart/form-data` up to its file. The file's body throws `FormError` at its end when something follows that may
   * not; both throw it for what is no form.
   */
  readForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<FormFile>;
  /** Milliseconds for which an object that nothing refers to is kept. */
  readonly graceMs: number;
}
