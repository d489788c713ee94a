/** Types of the client of files (contract 4.7). */
import type * as api from "./api.ts";
import type { CallOptions } from "./transport.ts";

export interface FileClient<F> {
  /** Reads the file. The answer has the bytes as a stream, and name, type and digest in its headers. */
  get(options?: FileReadOptions): Promise<Response>;
  /** Replaces the file. Its type is the blob's. Its name is the `File`'s or the given one. */
  put(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /**
   * Replaces the file through a presigned URL, so that the bytes go directly to the file store if it is a server of its own.
   * Use it for large files. No credentials are sent to that server.
   */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "writeFile">>;
  /** Makes a URL for the bytes. Whoever has the URL can use it. */
  presign(asked: FilePresign, options?: UnkeyedOptions): Promise<FileAddress>;
  /** Clears the column. An empty one is no error. */
  delete(options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

export interface FilesClient<F> {
  /** Reads one of the files. The answer has its bytes as a stream. */
  get(fileId: string, options?: FileReadOptions): Promise<Response>;
  /** Adds a file. */
  add(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "addFile">>;
  /** Adds a file through a presigned URL, as `upload` of a single file does. */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "addFile">>;
  /** Replaces all files by one. */
  replace(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /** Makes a URL for the bytes. To read, `id` names the file. */
  presign(
    asked: FilePresign & { readonly id?: string },
    options?: UnkeyedOptions,
  ): Promise<FileAddress>;
  /** Removes one file. A missing one is no error. */
  delete(fileId: string, options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

/** Options of file routes. They have no idempotency keys, so a request without an answer is not repeated. */
export type UnkeyedOptions = Omit<CallOptions, "idempotencyKey">;
export interface FileReadOptions extends Pick<CallOptions, "signal"> {
  /** First and last byte. Without a last byte the range extends to the end. */
  readonly range?: { readonly start: number; readonly end?: number };
}

export interface FileWriteOptions extends UnkeyedOptions {
  readonly name?: string;
}

export interface FileUploadOptions extends FileWriteOptions {
  /** Seconds within which the upload must start. Default: 300. */
  readonly expiresIn?: number;
}

export type FilePresign =
  | { readonly method: "GET"; readonly expiresIn?: number }
  | {
    readonly method: "PUT";
    readonly name?: string;
    /** Bytes. */
    readonly size: number;
    /** Media type. */
    readonly type: string;
    /** SHA-256 of the bytes in hexadecimal. */
    readonly sha256?: string;
    readonly expiresIn?: number;
  };

export interface FileAddress {
  readonly url: string;
  readonly method: "GET" | "PUT";
  /** Headers to send with the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: string;
  /** Id that confirms an upload. */
  readonly upload?: string;
}
