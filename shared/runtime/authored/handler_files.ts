/** `files` of authored code: bytes before a row refers to them, and files of rows within scope (definitions 5). */
import { z } from "zod";
import type { FileValue } from "../../contract/mod.ts";
import { bytesFitType, extensionOf, FILE_SIZE_MAX, isFileValue } from "../../contract/mod.ts";
import { isSavedFile, MEDIA_TYPE, PRESIGN_EXPIRES, SNIFFED_BYTES } from "../../contract/mod.ts";
import type { TableModel } from "../../model/mod.ts";
import { fileHomeOf, PUT_PREFIX, putKey } from "../data/file_keys.ts";
import type { OpenedScopedDb, ScopedDbOptions } from "../data/scoped_db/open_scoped_db.ts";
import type { FoundFile } from "../data/scoped_db/find_file.ts";
import type { PutFile } from "../data/scoped_db/put_files.ts";
import { putPool } from "../data/unreferred_pools.ts";
import type { FilePorts, Randomness, Reader } from "../ports.ts";
import { cleanName } from "../request/file_body.ts";

/** Result of `files.get`. */
interface OpenedFile extends Pick<FileValue, "name" | "size" | "type"> {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface HandlerFiles {
  /**
   * Stores the bytes, to be referred to by a write of the same transaction. Files without a reference are removed later. Throws
   * if they have the signature of another type, and above 5 GiB. Throws `StorageFullError`, also when unreferenced files of
   * earlier calls have used up their share.
   */
  put(body: unknown, options: unknown): Promise<FileValue>;
  /** Opens a file that this call has stored, or that a row in its scope refers to. Throws for any other. */
  get(file: unknown): Promise<OpenedFile>;
  /** Makes a URL of such a file for whoever has it. */
  url(file: unknown, options?: unknown): Promise<string>;
}

type FilesCaller = Pick<ScopedDbOptions, "principal" | "organizationId" | "place"> & {
  readonly reader: Reader;
};

type Opened = Pick<OpenedScopedDb<never>, "findFile" | "putFiles">;

/** Makes `files`. Null: the project has no files. `tables` are those with files. */
export function handlerFiles(
  tables: readonly TableModel[],
  { files = null, random }: { readonly random: Randomness; readonly files?: FilePorts | null },
  opened: Opened,
  caller: FilesCaller,
): HandlerFiles | null {
  if (tables.length === 0) return null;
  // Tests and proofs may have no store. Only code that uses files gets the error.
  const portsOf = () => {
    if (files === null) throw new Error("This host has no store of files");
    return files;
  };
  // Bytes that this call has stored. It may still write them into rows.
  let own = 0;
  return Object.freeze({
    async put(body: unknown, given: unknown) {
      const options = putOptions.safeParse(given).data;
      if (!options) {
        throw new TypeError("files.put takes bytes, and { name, type, table? }: a media type");
      }
      const { type } = options;
      const name = cleanName(options.name) || `file.${extensionOf(type)}`;
      const { home, tenant } = homeFor(options.table, tables, caller);
      const id = `${PUT_PREFIX}${random.bytes(16).toHex()}`;
      const bytes = measured(bodyOf(body), type);
      const { store, unreferred } = portsOf();
      const { reader, place = null } = caller;
      const pool = await putPool(reader, { tables, home, tenant, place });
      if (pool) await unreferred.require(pool, own);
      const { size, sha256 } = await store.put(await putKey(home, tenant, id), bytes);
      if (pool) unreferred.add(pool, size);
      own += size;
      const value = Object.freeze({ id, name, size, type, sha256 });
      opened.putFiles.add({ value, home, tenant });
      return value;
    },
    async get(file: unknown) {
      const { value: { id, name, size, type }, key } = await foundFile(file, opened);
      const stream = await portsOf().store.get(key);
      if (stream === null) throw new Error(`File "${id}" is not in the store`);
      return { stream, name, size, type };
    },
    async url(file: unknown, given: unknown = {}) {
      const { data } = urlOptions.safeParse(given);
      if (!data) {
        throw new TypeError(
          `files.url takes { expiresIn }: 1 to ${PRESIGN_EXPIRES.max} whole seconds`,
        );
      }
      const { value, key, types } = await foundFile(file, opened);
      const isSaved = isSavedFile(types, value);
      const use = { method: "GET", key, file: value, isSaved } as const;
      return (await portsOf().addresses.presign(use, data.expiresIn)).url;
    },
  });
}

const urlOptions = z.strictObject({
  expiresIn: z.int().min(1).max(PRESIGN_EXPIRES.max).default(PRESIGN_EXPIRES.default),
});

/**
 * Returns a file that this call has stored, or that a row in its scope refers to. A foreign file causes the same error as a
 * missing one.
 */
async function foundFile(file: unknown, { putFiles, findFile }: Opened): Promise<FoundFile> {
  if (!isFileValue(file)) throw new TypeError("Wanted is the value of a file column");
  const put = putFiles.named(file.id);
  const found = put
    ? { value: put.value, key: await putKey(put.home, put.tenant, file.id), types: null }
    : await findFile(file.id);
  if (!found) throw new Error("No row that this code may read refers to the file");
  return found;
}

const putOptions = z.strictObject({
  name: z.string(),
  type: z.string().toLowerCase().regex(MEDIA_TYPE),
  table: z.string().optional(),
});

/** Returns the tenant of the tables with files: the common one, or that of the named table. */
function homeFor(
  named: string | undefined,
  tables: readonly TableModel[],
  { principal: { userId }, organizationId }: FilesCaller,
): Pick<PutFile, "home" | "tenant"> {
  const known = tables.map(({ name }) => `"${name}"`).join(", ");
  const meant = named === undefined ? tables : tables.filter(({ name }) => name === named);
  const [home, ...others] = new Set(meant.map(fileHomeOf));
  if (home === undefined) {
    throw new TypeError(`files.put: "${named}" is no table with files; there are ${known}`);
  }
  if (others.length > 0) {
    throw new TypeError(
      `files.put needs { table } here, one of ${known}: their rows have different owners`,
    );
  }
  const tenant = { organization: organizationId, owner: userId, public: null }[home];
  if (tenant === null && home !== "public") {
    throw new TypeError(`files.put needs a caller with an ${home}: its files stand with them`);
  }
  return { home, tenant };
}

function bodyOf(body: unknown): AsyncIterable<Uint8Array> {
  if (body instanceof ReadableStream) return body;
  if (body instanceof Blob) return body.stream();
  if (body instanceof Uint8Array) return ReadableStream.from([body]);
  if (body instanceof ArrayBuffer) return ReadableStream.from([new Uint8Array(body)]);
  throw new TypeError("files.put takes a Uint8Array, an ArrayBuffer, a Blob or a ReadableStream");
}

/** Yields the same bytes. Throws if there are too many, or if they have another type's signature. */
async function* measured(
  body: AsyncIterable<Uint8Array>,
  type: string,
): AsyncGenerator<Uint8Array> {
  const begun: number[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("files.put takes a stream of bytes");
    size += chunk.length;
    if (size > FILE_SIZE_MAX) throw new Error(`A file has at most ${FILE_SIZE_MAX} bytes`);
    if (begun.length < SNIFFED_BYTES) begun.push(...chunk.subarray(0, SNIFFED_BYTES));
    yield chunk;
  }
  if (!bytesFitType(Uint8Array.from(begun.slice(0, SNIFFED_BYTES)), type)) {
    throw new TypeError(`The file does not begin as one of '${type}'`);
  }
}
