/** Files of records: their value in a record, their limits, and how their bytes are served (contract 4.7, definitions 3). */
import type { JsonValue } from "./fields.ts";

/** A file as its column stores it. The bytes are in the file store. */
export interface FileValue {
  /** Random id; the last part of the key in the file store. */
  readonly id: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Media type without parameters. */
  readonly type: string;
  /** SHA-256 of the bytes in lower-case hexadecimal. */
  readonly sha256: string;
}

/** Default limit of a file in bytes. */
export const FILE_SIZE_DEFAULT = 10 * 1024 * 1024;
export const FILE_SIZE_MAX = 5 * 1024 * 1024 * 1024;
/** Most files of a column with several: by default, and at most. */
export const FILES_MAX_DEFAULT = 20;
export const FILES_MAX = 100;
/** Longest name of a file in UTF-8 bytes. */
export const FILE_NAME_MAX_BYTES = 255;
/** Longest header of a part of `multipart/form-data`. */
export const PART_HEADER_MAX_BYTES = 16 * 1024;

/** Limit of unreferenced bytes of one tenant in a column, as a multiple of the column's `maxSize` (contract 4.7). */
export const UNREFERRED_SIZES = 10;

/** Seconds for which a presigned URL is valid. */
export const PRESIGN_EXPIRES = { default: 300, max: 3600 } as const;

/** Slowest accepted body of a file route: at least this many bytes in each such window (contract 8). */
export const FILE_RECEIVING = { windowMs: 30_000, bytesMin: 30_000 } as const;

/** Seconds for which an unreferenced object is kept, unless the operator sets it (definitions 8, `STORAGE_GRACE_S`). */
export const STORAGE_GRACE_DEFAULT_S = 3600;
/** Time between two collections of unreferenced files. */
export const COLLECTION_INTERVAL_MS = 10 * 60_000;

/** Pattern of one half of a media type. `image/*` has `*` in its place. */
export const MEDIA_SUBTYPE = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";

/** A media type without parameters, in lower case (RFC 6838). */
export const MEDIA_TYPE = new RegExp(`^${MEDIA_SUBTYPE}/${MEDIA_SUBTYPE}$`);

/** A media type in `types`, or a range such as `image/*`. */
export const MEDIA_TYPE_RANGE = new RegExp(`^${MEDIA_SUBTYPE}/(?:\\*|${MEDIA_SUBTYPE})$`);

/** True when a column accepts a type; null accepts any. */
export function isTypeAccepted(type: string, types: readonly string[] | null): boolean {
  return types === null ||
    types.some((accepted) =>
      accepted.endsWith("/*") ? type.startsWith(accepted.slice(0, -1)) : accepted === type
    );
}

interface KnownType {
  /** File extension for a file that was sent without a name. */
  readonly extension: string;
  /** Signature: the first bytes of such files, where null stands for any byte. Absent: none is known. */
  readonly begins?: readonly (readonly (number | null)[])[];
}

function ascii(text: string): readonly number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

const KNOWN_TYPES: Readonly<Record<string, KnownType>> = {
  "image/png": { extension: "png", begins: [[0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a]] },
  "image/jpeg": { extension: "jpg", begins: [[0xff, 0xd8, 0xff]] },
  "image/gif": { extension: "gif", begins: [ascii("GIF87a"), ascii("GIF89a")] },
  "image/webp": {
    extension: "webp",
    begins: [[...ascii("RIFF"), null, null, null, null, ...ascii("WEBP")]],
  },
  "application/pdf": { extension: "pdf", begins: [ascii("%PDF-")] },
  "application/zip": {
    extension: "zip",
    begins: [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6], [0x50, 0x4b, 7, 8]],
  },
  "text/plain": { extension: "txt" },
  "text/csv": { extension: "csv" },
  "text/html": { extension: "html" },
  "application/json": { extension: "json" },
  "image/svg+xml": { extension: "svg" },
  "audio/mpeg": { extension: "mp3" },
  "video/mp4": { extension: "mp4" },
};

/** Types that are zip archives: office documents, ebooks and the like. */
const ZIPPED =
  /(?:\+zip|^application\/(?:vnd\.openxmlformats-|vnd\.oasis\.opendocument\.|x-zip|java-archive|vnd\.android\.package-archive).*)$/;

/** Number of leading bytes that are compared with signatures. */
export const SNIFFED_BYTES = 16;

/** Returns the type whose signature the leading bytes have; null: none is known. */
function typeOfBytes(bytes: Uint8Array): string | null {
  const found = Object.entries(KNOWN_TYPES).find(([, { begins = [] }]) =>
    begins.some((mark) => mark.every((byte, at) => byte === null || bytes[at] === byte))
  );
  return found?.[0] ?? null;
}

/** False when the leading bytes are the signature of another type, or differ from the type's known signature. */
export function bytesFitType(bytes: Uint8Array, type: string): boolean {
  const actual = typeOfBytes(bytes);
  if (actual === type) return true;
  if (KNOWN_TYPES[type]?.begins) return false;
  if (actual === null || type === "application/octet-stream") return true;
  return actual === "application/zip" && ZIPPED.test(type);
}

/** Returns the extension for a file that was sent without a name. */
export function extensionOf(type: string): string {
  return Object.hasOwn(KNOWN_TYPES, type) ? KNOWN_TYPES[type]?.extension ?? "bin" : "bin";
}

/** Types that a browser shows without running code of theirs. */
const INLINE =
  /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf|text\/plain|audio\/.+|video\/.+)$/;

/** True when a file must be downloaded instead of shown. `types` are those of its column. */
export function isSavedFile(types: readonly string[] | null, { type }: FileValue): boolean {
  return types === null || !INLINE.test(type);
}

/** Makes the `Content-Disposition` header (RFC 6266), with a plain name for old readers. */
export function dispositionOf({ name }: Pick<FileValue, "name">, isSaved: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isSaved ? "attachment" : "inline"}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, size, type, sha256 } = value as { readonly [name: string]: unknown };
  return typeof id === "string" && typeof name === "string" && typeof type === "string" &&
    typeof sha256 === "string" && typeof size === "number" && Number.isSafeInteger(size);
}

/** Returns the files in a cell of a column with one or several. Throws for any other value. */
export function filesInCell(cell: unknown): readonly FileValue[] {
  if (cell === null || cell === undefined) return [];
  const value: unknown = JSON.parse(String(cell));
  const files: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!files.every(isFileValue)) throw new Error("A column of files holds something else");
  return files;
}

/** Returns a file in the form that records contain. */
export function fileJson(
  { id, name, size, type, sha256 }: FileValue,
): { readonly [key: string]: JsonValue } {
  return { id, name, size, type, sha256 };
}
