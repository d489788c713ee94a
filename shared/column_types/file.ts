/** `q.file()`: a file of the record. The column holds its description. Its bytes have a route and a store of their own. */
import { z } from "zod";
import { fileJson, type FileValue, isFileValue } from "../contract/mod.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_VALUES, SCALAR_RULES } from "./column_type.ts";
import { JSON_STORAGE } from "./json.ts";
import { TEXT_QUERY } from "./texts.ts";

export interface FileType {
  readonly kind: "file";
  /** Largest size in bytes. */
  readonly maxSize: number;
  /** Media types without parameters, or `image/*`. Null: any type is accepted, and every file is served as a download. */
  readonly types: readonly string[] | null;
  /** Most files of a column with several. Absent: the column holds one file or none. */
  readonly maxItems?: number;
}

const FILE_STORAGE: Storage = {
  ...JSON_STORAGE,
  store: (value) => isFileValue(value) ? JSON.stringify(fileJson(value)) : undefined,
  operand: () => undefined,
  handler: {
    wanted: "Takes only null, or what files.put gave: a file is sent to its own route",
    encode: (value) => isFileValue(value) ? JSON.stringify(fileJson(value)) : null,
    bound: (value) => value,
  },
};

const FILES_STORAGE: Storage = {
  ...FILE_STORAGE,
  store: storedFiles,
  handler: {
    wanted: "Takes only a list of what files.put gave: a file is sent to its own route",
    encode: (value) => storedFiles(value) ?? null,
    bound: (value) => value,
  },
};

function storedFiles(value: unknown): string | undefined {
  return Array.isArray(value) && value.every(isFileValue)
    ? JSON.stringify(value.map(fileJson))
    : undefined;
}

const SHA_EXAMPLE = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

function sample(name: string, type: string, size: number): FileValue {
  return { id: "4c1de5a9f8b34c7e9a51d07c8e2b6f30", name, size, type, sha256: SHA_EXAMPLE };
}

/** Returns a type that the column accepts. */
function anyType({ types }: FileType): string {
  const [first = "application/octet-stream"] = types ?? [];
  return first.endsWith("/*") ? `${first.slice(0, -1)}example` : first;
}

function fileValues(type: FileType): ValueType {
  const kinds = type.types === null ? "" : ` of the type ${type.types.join(", ")}`;
  const expected = `a file of at most ${type.maxSize} bytes${kinds}`;
  return {
    ...PLAIN_VALUES,
    schema: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, description: "Id of the file." },
        name: { type: "string", minLength: 1, description: "Name that it was sent with." },
        size: { type: "integer", minimum: 0, maximum: type.maxSize, description: "Bytes." },
        type: { type: "string", minLength: 1, description: "Media type." },
        sha256: {
          type: "string",
          pattern: "^[0-9a-f]{64}$",
          description: "Digest of the bytes, in hex.",
        },
      },
      required: ["id", "name", "size", "type", "sha256"],
      additionalProperties: false,
    },
    words: expected,
    body: () => z.never(),
    nullableBody: () =>
      z.null({ error: "Takes only null: send the file to this field's own route" }),
    querySchema: TEXT_QUERY,
    hasText: false,
    hasCase: false,
    read: () => undefined,
    expected,
    mismatch: () => "null",
    example: () => fileJson(sample("example", anyType(type), 4)),
    // Write bodies accept nothing else.
    sample: () => null,
    twins: (at) => [
      fileJson(sample("low", anyType(type), at)),
      fileJson({
        ...sample("a longer name", anyType(type), 900 + at),
        sha256: SHA_EXAMPLE.replaceAll("9", "1"),
      }),
    ],
  };
}

/** Returns the values of a column with several files. */
function listValues(type: FileType, maxItems: number): ValueType {
  const one = fileValues(type);
  const expected = `a list of at most ${maxItems} files, each ${one.expected}`;
  return {
    ...one,
    schema: { type: "array", items: one.schema, maxItems },
    words: expected,
    expected,
    body: () => z.array(z.never({ error: NO_FILES })).max(0, { error: NO_FILES }),
    nullableBody: () => z.never({ error: NO_FILES }),
    mismatch: (value) => Array.isArray(value) && value.length === 0 ? null : "[]",
    example: (text) => [one.example(text)],
    sample: () => [],
    twins: (at) => {
      const pair = one.twins(at);
      return pair && [[pair[0]], [pair[1], pair[0]].slice(0, maxItems)];
    },
  };
}

const NO_FILES = "Takes only an empty list: send files to this field's own route";

export const file: ColumnTypeRecord<FileType, FileValue> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: (_ids, { maxItems }) => maxItems === undefined ? FILE_STORAGE : FILES_STORAGE,
  fitsSql: (cell) => `json_valid(${cell})`,
  rules: {
    ...SCALAR_RULES,
    isStructured: true,
    isList: true,
    isFile: true,
    isOrdered: false,
    aggregates: [],
  },
  values: (type) =>
    type.maxItems === undefined ? fileValues(type) : listValues(type, type.maxItems),
};
