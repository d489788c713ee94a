/** `openapi`: what is described and who may read it (definitions 2, contract 5.5 and 9.5). */
import type { OpenApiModel, PublishGate } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { type At, invalidValue } from "../read/reader.ts";
import { listOf, matching, oneOf, readBoolean, readTokens } from "../read/scalars.ts";

/** Default place of the generated client types. */
const TYPES_PATH = "client.d.ts";

const DOCS = {
  browser_modern: "browser_modern",
  scalar: "browser_modern",
  browser_classic: "browser_classic",
  swagger: "browser_classic",
} as const;

export function readOpenApi(fields: Fields): OpenApiModel {
  const openapi = readMember(fields, "openapi", { keys: ["generate", "publish", "docs", "types"] });
  const publish = openapi && readPublish(openapi);
  const docs = openapi && readDocs(openapi);
  if (openapi && publish === false && docs) reportUnpublishedDocs(openapi);
  return {
    generate: (openapi && readField(openapi, "generate", readBoolean)) ?? true,
    publish: publish ?? "authenticated",
    docs: docs ?? false,
    types: (openapi && readField(openapi, "types", readTypes)) ?? [TYPES_PATH],
  };
}

function readPublish(openapi: Fields): PublishGate | undefined {
  const gate = oneOf(["authenticated", "admin", "public", true, false]);
  const publish = readField(openapi, "publish", gate);
  return publish === true ? "public" : publish;
}

function readDocs(openapi: Fields): OpenApiModel["docs"] | undefined {
  const kind = oneOf(["browser_modern", "scalar", "browser_classic", "swagger", false]);
  const docs = readField(openapi, "docs", kind);
  return docs === undefined || docs === false ? docs : DOCS[docs];
}

function reportUnpublishedDocs(openapi: Fields): void {
  const entry = openapi.entries.get("docs");
  if (entry) openapi.at.report.add("DOCS_WITHOUT_PUBLISH", entry.value.place, {});
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
