/** Tables of a Prisma schema: its models and enums. */
import { type Field, getSchema, type Model, type Schema } from "@mrleebo/prisma-ast";
import type { DraftType, ForeignColumn, ForeignSchema, ForeignTable, OnDelete } from "./draft.ts";
import { decimalOf, DraftError, foreignColumn, WIDE_DECIMAL } from "./draft.ts";

/** Throws `DraftError` for a text that is no Prisma schema or has no model. */
export function readPrisma(text: string): ForeignSchema {
  const { list } = parsed(text);
  const models = list.filter((block) => block.type === "model");
  if (models.length === 0) throw new DraftError("It has no model: is it a Prisma schema?");
  const enums = new Map(
    list.filter((block) => block.type === "enum").map(({ name, enumerators }) =>
      [
        name,
        enumerators.filter((one) => one.type === "enumerator").map((one) => one.name),
      ] as const
    ),
  );
  const tableNames = new Map(models.map((model) => [model.name, tableNameOf(model)]));
  const views = list.filter((block) => block.type === "view").map(({ name }) =>
    `View "${name}" was left out: views of a table stand under its \`read\``
  );
  return { tables: models.map((model) => tableOf(model, { enums, tableNames })), questions: views };
}

function parsed(text: string): Schema {
  try {
    // The parser takes no blanks at the end of a line.
    return getSchema(text.replace(/[ \t]+$/gm, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DraftError(`It cannot be read as a Prisma schema: ${reason}`);
  }
}

interface Known {
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** By model. */
  readonly tableNames: ReadonlyMap<string, string>;
}

function tableNameOf(model: Model): string {
  const mapped = attributesOf(model).find(({ name }) => name === "map")?.text ?? "";
  return /"([^"]+)"/.exec(mapped)?.[1] ?? model.name;
}

function tableOf(model: Model, known: Known): ForeignTable {
  const fields = model.properties.filter((property) => property.type === "field");
  const attributes = attributesOf(model);
  const columns = fields.filter((field) => !known.tableNames.has(typeName(field)));
  return {
    name: tableNameOf(model),
    primaryKey: attributes.find(({ name }) => name === "id")?.columns ??
      columns.filter((field) => attribute(field, "id") !== null).map(({ name }) => name),
    unique: attributes.filter(({ name }) => name === "unique").map(({ columns }) => columns),
    columns: columns.map((field) => {
      const { type, question } = typeOf(field, known.enums);
      return foreignColumn(field.name, type, {
        isRequired: field.optional !== true,
        isUnique: attribute(field, "unique") !== null,
        fallback: fallbackOf(attribute(field, "default") ?? "", type),
        references: referenceOf(field, fields, known),
        question,
      });
    }),
  };
}

/** The foreign key's table: Prisma says it at a field beside the column. */
function referenceOf({ name }: Field, fields: readonly Field[], { tableNames }: Known) {
  for (const field of fields) {
    const relation = attribute(field, "relation");
    const table = tableNames.get(typeName(field));
    if (relation === null || table === undefined) continue;
    const [, columns = ""] = /fields:\s*\[([^\]]*)\]/.exec(relation) ?? [];
    if (columns.split(",").map((one) => one.trim()).join() !== name) continue;
    const [, action = ""] = /onDelete:\s*(\w+)/.exec(relation) ?? [];
    const [, column = null] = /references:\s*\[\s*(\w+)\s*\]/.exec(relation) ?? [];
    return { table, column, onDelete: ACTIONS[action] ?? null };
  }
  return null;
}

const ACTIONS: Readonly<Record<string, OnDelete>> = {
  Cascade: "cascade",
  SetNull: "set null",
  Restrict: "restrict",
  NoAction: "no action",
};

type Typed = Pick<ForeignColumn, "type" | "question">;

const TYPES: Readonly<Record<string, Typed>> = {
  String: { type: { kind: "text" }, question: null },
  Int: { type: { kind: "int" }, question: null },
  BigInt: { type: { kind: "int" }, question: "whole numbers beyond 2^53 need text" },
  Float: { type: { kind: "real" }, question: null },
  Decimal: {
    type: { kind: "text" },
    question: WIDE_DECIMAL,
  },
  Boolean: { type: { kind: "bool" }, question: null },
  DateTime: { type: { kind: "timestamp" }, question: null },
  Json: { type: { kind: "json" }, question: null },
  Bytes: { type: { kind: "text" }, question: "bytes became text" },
};

function typeOf(field: Field, enums: Known["enums"]): Typed {
  const name = typeName(field);
  if (field.array) return { type: { kind: "json" }, question: `a list of ${name} became JSON` };
  const values = enums.get(name);
  if (values) return { type: { kind: "enum", values }, question: null };
  if (name === "DateTime" && field.attributes?.some((one) => one.name === "Date")) {
    return { type: { kind: "date" }, question: null };
  }
  const digits = name === "Decimal"
    ? field.attributes?.find((one) => one.name === "Decimal")?.args
    : undefined;
  const decimal = digits ? decimalOf(digits.map(({ value }) => textOf(value)).join(",")) : null;
  if (decimal) return { type: decimal, question: null };
  return TYPES[name] ?? { type: { kind: "text" }, question: `type ${name} became text` };
}

function fallbackOf(written: string, { kind }: DraftType): ForeignColumn["fallback"] {
  if (written.startsWith("now(")) return { kind: "now" };
  if (kind === "bool") return written === "true" ? true : written === "false" ? false : null;
  if (kind === "int" || kind === "real") {
    return /^-?\d/.test(written) ? Number(written) : null;
  }
  if (kind === "decimal") return /^-?\d/.test(written) ? written : null;
  if (kind === "enum") return /^\w+$/.test(written) ? written : null;
  return kind === "text" ? /^"(.*)"$/.exec(written)?.[1] ?? null : null;
}

function typeName({ fieldType }: Field): string {
  return typeof fieldType === "string" ? fieldType : fieldType.name;
}

/** An attribute's arguments as text; null: the field does not have it. */
function attribute({ attributes = [] }: Field, name: string): string | null {
  const found = attributes.find((one) => one.name === name && one.group === undefined);
  return found ? (found.args ?? []).map(({ value }) => textOf(value)).join(", ") : null;
}

function attributesOf(model: Model) {
  return model.properties.filter((property) => property.type === "attribute").map(
    ({ name, args }) => {
      const text = args.map(({ value }) => textOf(value)).join(", ");
      const [, list = ""] = /\[([^\]]*)\]/.exec(text) ?? [];
      const columns = list.split(",").map((one) => one.trim()).filter((one) => one !== "");
      return { name, text, columns };
    },
  );
}

/** As Prisma writes it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if ("key" in value && "value" in value) return `${value.key}: ${textOf(value.value)}`;
  if ("args" in value) return textOf(value.args);
  if ("name" in value) {
    const given = "params" in value && Array.isArray(value.params) ? value.params : [];
    return `${value.name}(${given.map(textOf).join(", ")})`;
  }
  return "";
}
