/** `files` of authored code: bytes before a row refers to them, and those that a row in scope refers to (definitions 5). */
import { z } from "zod";
import {
  bytesFitType,
  extensionOf,
  FILE_SIZE_MAX,
  type FileValue,
  isFileValue,
  MEDIA_TYPE,
  SNIFFED_BYTES,
} from "../../contract/files.ts";
import type { TableModel } from "../../model/table.ts";
import { fileHomeOf, PUT_PREFIX, putKey } from "../data/file_keys.ts";
import type { OpenedScopedDb, ScopedDbOptions } from "../data/scoped_db/open_scoped_db.ts";
import type { PutFile } from "../data/scoped_db/put_files.ts";
import type { FilePorts, Randomness } from "../ports.ts";
import { cleanName } from "../request/file_body.ts";

/** Result of `files.get`. */
interface OpenedFile extends Pick<FileValue, "name" | "size" | "type"> {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface HandlerFiles {
  /**
   * Stores the bytes, for a write of the same transaction to refer to; what nothing refers to in the end is collected. Throws
   * where they begin as those of another type, and for more than 5 GiB.
   */
  put(body: unknown, options: unknown): Promise<FileValue>;
  /** Opens a file that this call has put, or that a row in its scope refers to; throws for any other. */
  get(file: unknown): Promise<OpenedFile>;
}

interface FilesMeans {
  /** Those with files. */
  readonly tables: readonly TableModel[];
  readonly ports: { readonly random: Randomness; readonly files?: FilePorts | null };
}

type FilesCaller = Pick<ScopedDbOptions, "principal" | "organizationId">;

type Opened = Pick<OpenedScopedDb<never>, "findFile" | "putFiles">;

/** Null: the project has no files. */
export function handlerFiles(
  { tables, ports: { files = null, random } }: FilesMeans,
  opened: Opened,
  caller: FilesCaller,
): HandlerFiles | null {
  if (tables.length === 0) return null;
  // A host of tests or proofs may have no store: only code that asks for a file finds out.
  const storeOf = () => {
    if (files === null) throw new Error("This host has no store of files");
    return files.store;
  };
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
      const { size, sha256 } = await storeOf().put(await putKey(home, tenant, id), bytes);
      const value = Object.freeze({ id, name, size, type, sha256 });
      opened.putFiles.add({ value, home, tenant });
      return value;
    },
    async get(file: unknown) {
      if (!isFileValue(file)) throw new TypeError("files.get takes the value of a file column");
      const put = opened.putFiles.named(file.id);
      const found = put
        ? { value: put.value, key: await putKey(put.home, put.tenant, file.id) }
        : await opened.findFile(file.id);
      // The same words for a file of somebody else.
      if (!found) throw new Error("No row that this code may read refers to the file");
      const stream = await storeOf().get(found.key);
      if (stream === null) throw new Error(`File "${file.id}" is not in the store`);
      const { name, size, type } = found.value;
      return { stream, name, size, type };
    },
  });
}

const putOptions = z.strictObject({
  name: z.string(),
  type: z.string().toLowerCase().regex(MEDIA_TYPE),
  table: z.string().optional(),
});

/** The tenant of the tables with files, which is the same for all of them or for the one that is named. */
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

/** The same bytes; throws when they are too many, or begin as those of another type. */
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
