/** Tables of an OpenAPI 3 description: the schemas that have an id. */
import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../shared/lib/json.ts";
import type { DraftType, ForeignColumn, ForeignSchema, ForeignTable } from "./draft.ts";
import { DraftError, foreignColumn } from "./draft.ts";

const COMPONENT = "#/components/schemas/";

/** Throws `DraftError` for a text that is no OpenAPI description or describes nothing with an id. */
export function readOpenApi(text: string): ForeignSchema {
  const schemas = schemasOf(text);
  const tables = Object.keys(schemas).filter((name) => "id" in membersOf(schemas[name], schemas));
  if (tables.length === 0) {
    throw new DraftError('It has no schema with an "id" under components.schemas');
  }
  return {
    tables: tables.map((name) => tableOf(name, tables, schemas)),
    questions: Object.keys(schemas).filter((name) => !tables.includes(name)).map((name) =>
      `Schema "${name}" has no id and was left out`
    ),
  };
}

function schemasOf(text: string): JsonObject {
  let description: unknown;
  try {
    description = parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DraftError(`It is neither JSON nor YAML: ${reason}`);
  }
  if (!isJsonObject(description) || !String(description["openapi"]).startsWith("3.")) {
    throw new DraftError('It is no OpenAPI 3 description: its "openapi" is not 3.x');
  }
  const components = description["components"];
  const schemas = isJsonObject(components) ? components["schemas"] : null;
  return isJsonObject(schemas) ? schemas : {};
}

function tableOf(name: string, tables: readonly string[], schemas: JsonObject): ForeignTable {
  const schema = schemas[name];
  const required = new Set(partsOf(schema, schemas).flatMap((part) => part["required"] ?? []));
  const columns = Object.entries(membersOf(schema, schemas)).map(([member, of]) => {
    const isRequired = required.has(member);
    const referred = componentOf(of);
    if (referred !== null && tables.includes(referred)) {
      const references = { table: referred, column: null, onDelete: null };
      return foreignColumn(`${member}Id`, { kind: "text" }, { isRequired, references });
    }
    const plain = resolved(of, schemas);
    const { type, question } = typeOf(plain);
    return foreignColumn(member, type, {
      isRequired: isRequired &&
        !(plain.nullable === true || (Array.isArray(plain.type) && plain.type.includes("null"))),
      fallback: fallbackOf(plain["default"]),
      question,
    });
  });
  return { name, primaryKey: ["id"], unique: [], columns };
}

function typeOf(schema: JsonObject): Pick<ForeignColumn, "type" | "question"> {
  const typed = (type: DraftType, question: string | null = null) => ({ type, question });
  const values = schema["enum"];
  const texts = Array.isArray(values) ? values.filter((one) => typeof one === "string") : [];
  if (texts.length > 0) return typed({ kind: "enum", values: texts });
  switch ([schema["type"]].flat().find((one) => one !== "null")) {
    case "integer":
      return typed({ kind: "int" });
    case "number":
      return typed({ kind: "real" });
    case "boolean":
      return typed({ kind: "bool" });
    case "string":
      return typed({ kind: FORMATS[String(schema["format"])] ?? "text" });
    case "array":
      return typed({ kind: "json" }, "a list became JSON: it may be a table of its own");
    default:
      return typed({ kind: "json" }, "an object became JSON: it may be a table of its own");
  }
}

const FORMATS: Readonly<Record<string, "timestamp" | "date" | "url">> = {
  "date-time": "timestamp",
  date: "date",
  uri: "url",
  url: "url",
};

function fallbackOf(value: unknown): ForeignColumn["fallback"] {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}

function componentOf(schema: unknown): string | null {
  const ref = isJsonObject(schema) ? schema["$ref"] : undefined;
  return typeof ref === "string" && ref.startsWith(COMPONENT) ? ref.slice(COMPONENT.length) : null;
}

/** The schema that stands for a reference; one that refers to itself ends as an empty one. */
function resolved(schema: unknown, schemas: JsonObject, levels = 8): JsonObject {
  const name = componentOf(schema);
  if (name !== null && levels > 0) return resolved(schemas[name], schemas, levels - 1);
  return isJsonObject(schema) && name === null ? schema : {};
}

function partsOf(schema: unknown, schemas: JsonObject): readonly JsonObject[] {
  const plain = resolved(schema, schemas);
  const all = plain["allOf"];
  const parts = Array.isArray(all) ? all.map((part: unknown) => resolved(part, schemas)) : [];
  return [...parts, plain];
}

function membersOf(schema: unknown, schemas: JsonObject): JsonObject {
  const members = partsOf(schema, schemas).map((part) => part["properties"]);
  return Object.assign({}, ...members.filter(isJsonObject));
}
