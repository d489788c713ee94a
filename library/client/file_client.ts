/** Types of the client of files (contract 4.7). */
import type * as api from "./api.ts";
import type { CallOptions } from "./transport.ts";

export interface FileClient<F> {
  /** The answer with the bytes as a stream, and name, type and digest in its headers. */
  get(options?: FileReadOptions): Promise<Response>;
  /** Puts a file in place of what is there; its type is the blob's, its name the `File`'s or the one told. */
  put(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /**
   * The same by way of an address, so that the bytes go to the store itself where it has a server of its own; good for large
   * files. Nobody else's credentials get there with them.
   */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "writeFile">>;
  /** An address for the bytes, for whoever has it. */
  presign(asked: FilePresign, options?: UnkeyedOptions): Promise<FileAddress>;
  /** Clears the column; no error where it is empty. */
  delete(options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

export interface FilesClient<F> {
  /** The answer with the bytes of one of them. */
  get(fileId: string, options?: FileReadOptions): Promise<Response>;
  /** Puts one more beside those that are there. */
  add(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "addFile">>;
  /** The same by way of an address, as `upload` of one file does. */
  upload(content: Blob, options?: FileUploadOptions): Promise<api.Answer<F, "addFile">>;
  /** Puts one file in place of all that are there. */
  replace(content: Blob, options?: FileWriteOptions): Promise<api.Answer<F, "writeFile">>;
  /** An address for the bytes, for whoever has it; to read, of the file that `id` names. */
  presign(
    asked: FilePresign & { readonly id?: string },
    options?: UnkeyedOptions,
  ): Promise<FileAddress>;
  /** Removes one of them; no error where it is not there. */
  delete(fileId: string, options?: UnkeyedOptions): Promise<api.Answer<F, "removeFile">>;
}

/** Files take no idempotency keys: what was not answered is not sent again. */
export type UnkeyedOptions = Omit<CallOptions, "idempotencyKey">;
export interface FileReadOptions extends Pick<CallOptions, "signal"> {
  /** First and last byte; without a last one, up to the end. */
  readonly range?: { readonly start: number; readonly end?: number };
}

export interface FileWriteOptions extends UnkeyedOptions {
  readonly name?: string;
}

export interface FileUploadOptions extends FileWriteOptions {
  /** Seconds within which the upload must have begun; 300 unless told. */
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
    /** Of the bytes, in hex. */
    readonly sha256?: string;
    readonly expiresIn?: number;
  };

export interface FileAddress {
  readonly url: string;
  readonly method: "GET" | "PUT";
  /** To be sent with the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: string;
  /** Of an upload: what confirms it. */
  readonly upload?: string;
}
