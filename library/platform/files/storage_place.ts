/** The operator's place for files of records (definitions 8). It refuses to start with an invalid value. */
import { STORAGE_GRACE_DEFAULT_S } from "../../../shared/contract/mod.ts";
import { setting, type Variables } from "../../../shared/lib/variables.ts";
import type { S3Place } from "./s3_store.ts";

export interface StoragePlace {
  /** Folder as `file:…`; null: beside the database. */
  readonly url: string | null;
  /** Bucket in place of the folder; null: none. */
  readonly bucket: S3Place | null;
  /** Limit of all files in bytes; null: the size of the disk. */
  readonly maxBytes: number | null;
  /** Limit of each tenant's files in bytes; null: none. */
  readonly maxBytesPerTenant: number | null;
  /** Milliseconds for which an unreferenced file is kept. */
  readonly graceMs: number;
  /** True when the process has no folder of its own. */
  readonly isDeployed: boolean;
}

const BUCKET = /^https?:\/\/[^/?#@]+\/[^/?#]+(?:\/[^?#]*[^/?#])?\/*$/;

/** Pattern of a public URL. A server may have a host for each bucket. */
const PUBLIC = /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/;

export function readStorage(variables: Variables): StoragePlace {
  const url = setting(variables, "STORAGE_URL");
  const isFolder = url === null || url.startsWith("file:");
  if (!isFolder && !(BUCKET.test(url) && URL.parse(url)?.host)) {
    throw new Error(
      "Cannot start: STORAGE_URL must name a folder, as in 'file:./data/files', or a bucket, as in 'https://s3.example.com/bucket'",
    );
  }
  const grace = readCount(variables, "STORAGE_GRACE_S", "seconds");
  return {
    url: isFolder ? url : null,
    bucket: isFolder ? null : { url: withoutSlash(url), ...readBucket(variables) },
    maxBytes: readCount(variables, "STORAGE_MAX_BYTES", "bytes"),
    maxBytesPerTenant: readCount(variables, "STORAGE_MAX_BYTES_PER_TENANT", "bytes"),
    graceMs: (grace ?? STORAGE_GRACE_DEFAULT_S) * 1000,
    isDeployed: setting(variables, "DENO_DEPLOYMENT_ID") !== null,
  };
}

/** Reads the bucket with its credentials. Errors never contain them. */
function readBucket(variables: Variables): Omit<S3Place, "url"> {
  const accessKeyId = setting(variables, "STORAGE_ACCESS_KEY_ID");
  const secretAccessKey = setting(variables, "STORAGE_SECRET_ACCESS_KEY");
  if (accessKeyId === null || secretAccessKey === null) {
    throw new Error(
      "Cannot start: a bucket in STORAGE_URL needs both STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY",
    );
  }
  const region = setting(variables, "STORAGE_REGION") ?? "us-east-1";
  const publicUrl = setting(variables, "STORAGE_PUBLIC_URL");
  if (publicUrl === null) return { accessKeyId, secretAccessKey, region };
  if (!PUBLIC.test(publicUrl) || !URL.parse(publicUrl)?.host) {
    throw new Error(
      "Cannot start: STORAGE_PUBLIC_URL must name the bucket as callers reach it, as in 'https://files.example.com/bucket'",
    );
  }
  return { publicUrl: withoutSlash(publicUrl), accessKeyId, secretAccessKey, region };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function readCount(variables: Variables, name: string, unit: string): number | null {
  const text = setting(variables, name);
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`Cannot start: ${name} must be a number of ${unit}, not '${text}'`);
}
