/** `openapi`: what is described and who may read it (definitions 2, contract 5.5 and 9.5). */
import type { OpenApiModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { readField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { listOf, matching, readTokens } from "../read/scalars.ts";
import type { ConfigFields } from "./config_fields.ts";

/** Default place of the generated client types. */
const TYPES_PATH = "client.d.ts";

const DOCS = {
  browser_modern: "browser_modern",
  scalar: "browser_modern",
  browser_classic: "browser_classic",
  swagger: "browser_classic",
} as const;

export function readOpenApi(config: ConfigFields): OpenApiModel {
  const openapi = read(config, "openapi");
  const publish = read(openapi, "publish");
  const docs = read(openapi, "docs");
  const entry = openapi.entries.get("docs");
  if (publish === false && docs !== false && entry) {
    openapi.at.report.add("DOCS_WITHOUT_PUBLISH", entry.value.place, {});
  }
  return {
    generate: read(openapi, "generate"),
    publish: publish === true ? "public" : publish,
    docs: docs === false ? false : DOCS[docs],
    types: readField(openapi, "types", readTypes) ?? [TYPES_PATH],
  };
}

const readTsPath = matching(
  /^(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*\.ts$/,
  "a project-relative path that ends in .ts",
);

/** The compile writes other files to these folders. */
const OUTPUT_FOLDER = /^(?:src|quickback|reports)(?:\/|$)/i;

function readPath(value: Value, at: At): string | undefined {
  const path = readTsPath(value, at);
  if (path === undefined || !OUTPUT_FOLDER.test(path)) return path;
  return invalidValue(value, "a path outside of src, quickback and reports", at);
}

/** Each path once. */
function readPaths(value: Value, at: At): readonly string[] | undefined {
  const paths = listOf(readPath)(value, at);
  const isReadable = value.kind === "array" && paths?.length === value.items.length;
  if (isReadable) readTokens(value, at);
  return paths;
}

/** `true` is the default path, `false` is none. */
function readTypes(value: Value, at: At): readonly string[] | undefined {
  if (value.kind === "boolean") return value.value ? [TYPES_PATH] : [];
  if (value.kind === "array") return readPaths(value, at);
  const path = readPath(value, at);
  return path === undefined ? undefined : [path];
}
