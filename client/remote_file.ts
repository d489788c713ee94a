/** The file of one record's column (contract 4.7): sent as its bytes, answered as a stream. */
import type { Answer } from "./api.ts";
import type { Caller } from "./caller.ts";
import type {
  FileAddress,
  FileClient,
  FilePresign,
  FileReadOptions,
  FileUploadOptions,
  FileWriteOptions,
  UnkeyedOptions,
} from "./client.ts";

export class RemoteFile<F> implements FileClient<F> {
  constructor(private readonly caller: Caller, private readonly path: string) {}

  get({ range, ...options }: FileReadOptions = {}): Promise<Response> {
    const headers = range ? { range: `bytes=${range.start}-${range.end ?? ""}` } : {};
    const call = { method: "GET", path: this.path, accept: "*/*", headers };
    return this.caller.answer(call, options);
  }

  put(content: Blob, options: FileWriteOptions = {}): Promise<Answer<F, "writeFile">> {
    const { name = content instanceof File ? content.name : undefined, ...callOptions } = options;
    const headers = {
      "content-type": content.type || "application/octet-stream",
      ...(name === undefined
        ? {}
        : { "content-disposition": `attachment; filename*=UTF-8''${encoded(name)}` }),
    };
    const call = { method: "PUT", path: this.path, body: content, headers, isUnkeyed: true };
    return this.caller.json(call, callOptions);
  }

  async upload(
    content: Blob,
    options: FileUploadOptions = {},
  ): Promise<Answer<F, "writeFile">> {
    const { name = content instanceof File ? content.name : undefined, expiresIn, ...rest } =
      options;
    const address = await this.presign({
      method: "PUT",
      size: content.size,
      type: content.type || "application/octet-stream",
      ...(name === undefined ? {} : { name }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
    }, rest);
    await this.caller.sendBytes(address, content, rest);
    const body = { upload: address.upload };
    return this.caller.json({ method: "PUT", path: this.path, body, isUnkeyed: true }, rest);
  }

  presign(body: FilePresign, options?: UnkeyedOptions): Promise<FileAddress> {
    const call = { method: "POST", path: `${this.path}/presign`, body, isUnkeyed: true };
    return this.caller.json(call, options);
  }

  delete(options?: UnkeyedOptions): Promise<Answer<F, "removeFile">> {
    return this.caller.json({ method: "DELETE", path: this.path, isUnkeyed: true }, options);
  }
}

/** A header's extended value (RFC 8187), which takes fewer characters than an address. */
function encoded(name: string): string {
  // Halves of characters, which names of some systems hold, have no address.
  const text = new TextDecoder().decode(new TextEncoder().encode(name));
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
