/** The files of a record's column (contract 4.7). They are sent as bytes and returned as streams. */
import type { Answer } from "./api.ts";
import type { Caller } from "./caller.ts";
import type {
  FileAddress,
  FileClient,
  FilePresign,
  FileReadOptions,
  FilesClient,
  FileUploadOptions,
  FileWriteOptions,
  UnkeyedOptions,
} from "./file_client.ts";

export class RemoteFile<F> implements FileClient<F> {
  readonly #route: FileRoute;

  constructor(caller: Caller, path: string) {
    this.#route = new FileRoute(caller, path);
  }

  get(options?: FileReadOptions): Promise<Response> {
    return this.#route.get("", options);
  }

  put(content: Blob, options?: FileWriteOptions): Promise<Answer<F, "writeFile">> {
    return this.#route.send("PUT", content, options);
  }

  upload(content: Blob, options?: FileUploadOptions): Promise<Answer<F, "writeFile">> {
    return this.#route.upload("PUT", content, options);
  }

  presign(asked: FilePresign, options?: UnkeyedOptions): Promise<FileAddress> {
    return this.#route.presign(asked, options);
  }

  delete(options?: UnkeyedOptions): Promise<Answer<F, "removeFile">> {
    return this.#route.delete("", options);
  }
}

export class RemoteFiles<F> implements FilesClient<F> {
  readonly #route: FileRoute;

  constructor(caller: Caller, path: string) {
    this.#route = new FileRoute(caller, path);
  }

  get(fileId: string, options?: FileReadOptions): Promise<Response> {
    return this.#route.get(`/${encodeURIComponent(fileId)}`, options);
  }

  add(content: Blob, options?: FileWriteOptions): Promise<Answer<F, "addFile">> {
    return this.#route.send("POST", content, options);
  }

  upload(content: Blob, options?: FileUploadOptions): Promise<Answer<F, "addFile">> {
    return this.#route.upload("POST", content, options);
  }

  replace(content: Blob, options?: FileWriteOptions): Promise<Answer<F, "writeFile">> {
    return this.#route.send("PUT", content, options);
  }

  presign(
    asked: FilePresign & { readonly id?: string },
    options?: UnkeyedOptions,
  ): Promise<FileAddress> {
    return this.#route.presign(asked, options);
  }

  delete(fileId: string, options?: UnkeyedOptions): Promise<Answer<F, "removeFile">> {
    return this.#route.delete(`/${encodeURIComponent(fileId)}`, options);
  }
}

/** The route of a column with one or several files. */
class FileRoute {
  constructor(private readonly caller: Caller, private readonly path: string) {}

  get(of: string, { range, ...options }: FileReadOptions = {}): Promise<Response> {
    const headers = range ? { range: `bytes=${range.start}-${range.end ?? ""}` } : {};
    const call = { method: "GET", path: this.path + of, accept: "*/*", headers };
    return this.caller.answer(call, options);
  }

  send<T>(method: "POST" | "PUT", content: Blob, options: FileWriteOptions = {}): Promise<T> {
    const { name = nameOf(content), ...callOptions } = options;
    const headers = {
      "content-type": typeOf(content),
      ...(name === undefined
        ? {}
        : { "content-disposition": `attachment; filename*=UTF-8''${encoded(name)}` }),
    };
    const call = { method, path: this.path, body: content, headers, isUnkeyed: true };
    return this.caller.json(call, callOptions);
  }

  /** Uploads through a presigned URL. `method` is that of the confirmation. */
  async upload<T>(
    method: "POST" | "PUT",
    content: Blob,
    options: FileUploadOptions = {},
  ): Promise<T> {
    const { name = nameOf(content), expiresIn, ...callOptions } = options;
    const address = await this.presign({
      method: "PUT",
      size: content.size,
      type: typeOf(content).split(";")[0]?.trim() ?? "",
      ...(name === undefined ? {} : { name }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
    }, callOptions);
    await this.caller.sendBytes(address, content, callOptions);
    const body = { upload: address.upload };
    return this.caller.json({ method, path: this.path, body, isUnkeyed: true }, callOptions);
  }

  presign(body: FilePresign, options?: UnkeyedOptions): Promise<FileAddress> {
    const call = { method: "POST", path: `${this.path}/presign`, body, isUnkeyed: true };
    return this.caller.json(call, options);
  }

  delete<T>(of: string, options?: UnkeyedOptions): Promise<T> {
    const call = { method: "DELETE", path: this.path + of, isUnkeyed: true };
    return this.caller.json(call, options);
  }
}

function nameOf(content: Blob): string | undefined {
  return content instanceof File ? content.name : undefined;
}

function typeOf({ type }: Blob): string {
  return type || "application/octet-stream";
}

/** Encodes a header's extended value (RFC 8187), which allows fewer characters than a URL. */
function encoded(name: string): string {
  // Names of some systems contain unpaired surrogates, which a URL cannot contain.
  const text = new TextDecoder().decode(new TextEncoder().encode(name));
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
