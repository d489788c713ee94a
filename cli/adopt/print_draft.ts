/** Writes a draft as definition files. */
import { typescriptProperty, typescriptString } from "../../shared/lib/typescript_text.ts";
import type { JsonValue } from "../../shared/contract/mod.ts";
import { kebabCase } from "../../shared/surface/names.ts";
import * as draft from "./draft.ts";
import type { DraftType, Operation } from "./foreign_schema.ts";

/** Type of the project's ids: columns that refer to one have the same type. */
export type IdType = "text" | "int";

/** Returns the files, as paths in the project with their texts. */
export function printDraft(
  { tables }: draft.Draft,
  idType: IdType,
): Readonly<Record<string, string>> {
  const parents = new Map(
    tables.map(({ name, columns }) => [
      name,
      [...new Set(columns.flatMap(({ type }) => type.kind === "key" ? [type.table] : []))].sort(),
    ]),
  );
  const kept = new Set(
    tables.flatMap(({ columns }) =>
      columns.flatMap(({ type }) =>
        type.kind === "key" && type.onDelete === "restrict" ? [type.table] : []
      )
    ),
  );
  return Object.fromEntries(
    tables.map((table) => [pathOf(table), tableText(table, { parents, kept, idType })]),
  );
}

export function pathOf({ name }: draft.DraftTable): string {
  return `quickback/features/${kebabCase(name)}/${name}.ts`;
}

type Parents = ReadonlyMap<string, readonly string[]>;

interface Printed {
  readonly parents: Parents;
  /** Tables to which others refer with `restrict`. */
  readonly kept: ReadonlySet<string>;
  readonly idType: IdType;
}

function tableText(table: draft.DraftTable, { parents, kept, idType }: Printed): string {
  const { name, columns, unique, indexes, description } = table;
  const own = parents.get(name) ?? [];
  const circle = new Set(own.filter((parent) => reaches(parent, name, parents)));
  const isOwnParent = circle.has(name);
  const symbols = [
    ...(circle.size > 0 ? ["type ColumnReference"] : []),
    ...(isOwnParent ? ["defineTable"] : ["feature"]),
    "q",
  ];
  const written = columns.filter(({ type }) => WRITTEN.has(type.kind))
    .map((column) => column.name);
  const sets = (key: string, lists: draft.DraftTable["unique"]) =>
    lists.length === 0
      ? []
      : [`  ${key}: [${lists.map((set) => `{ columns: [${quoted(set)}] }`).join(", ")}],`];
  const indent = isOwnParent ? "  " : "    ";
  return [
    `import { ${symbols.join(", ")} } from "quickback";`,
    ...own.filter((parent) => parent !== name).map((parent) => {
      // A table that refers to itself is referenced by its own name in its file.
      const isNamed = parents.get(parent)?.includes(parent) ?? false;
      const path = `../${kebabCase(parent)}/${parent}.ts`;
      return `import ${isNamed ? `{ ${parent} }` : parent} from "${path}";`;
    }),
    "",
    isOwnParent
      ? `export const ${name} = q.table("${name}", {`
      : `export default feature("${name}", {\n  columns: {`,
    ...columns.map((column) => `${indent}${column.name}: ${columnText(column, circle, idType)},`),
    isOwnParent ? `});\n\nexport default defineTable(${name}, {` : "  },",
    ...(description === null ? [] : [`  description: ${typescriptString(description)},`]),
    ...sets("unique", unique),
    ...sets("indexes", indexes),
    ...(draft.isShared(table) ? ["  firewall: { exception: true },"] : []),
    `  guards: {\n    createable: ${wrapped(written)},\n    updatable: ${wrapped(written)},\n  },`,
    "  // Nobody yet: name the roles.",
    ...OPERATIONS.map((operation) => `  ${operation}: ${accessText(table, operation, kept)},`),
    "});",
    "",
  ].join("\n");
}

const WRITTEN: ReadonlySet<string> = new Set(["plain", "key", "account"]);
const OPERATIONS: readonly Operation[] = ["read", "create", "update", "delete"];

/** Writes the access rule on one line, by which an error of the compiler is matched to it. */
function accessText(
  { name, rules }: draft.DraftTable,
  operation: Operation,
  kept: ReadonlySet<string>,
): string {
  const rule = rules.find((one) => one.operation === operation);
  const record = rule ? `, record: ${literalText(rule.record)}` : "";
  const refuses = operation === "delete" && kept.has(name) ? ', children: "refuse"' : "";
  return `{ access: { roles: []${record} }${refuses} }`;
}

/** True when a path of references leads from one table to the other. */
function reaches(from: string, to: string, parents: Parents): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const parent of parents.get(name) ?? []) seen.add(parent);
  }
  return false;
}

function columnText(
  { type, isRequired, isUnique, isIndexed, fallback, description }: draft.DraftColumn,
  circle: ReadonlySet<string>,
  idType: IdType,
): string {
  if (type.kind === "id") return "q.id()";
  if (type.kind === "scope") return `q.scope("${type.of}")`;
  const parts = [startText(type, idType)];
  if (isRequired) parts.push(".required()");
  if (isUnique) parts.push(".unique()");
  if (isIndexed) parts.push(".index()");
  if (fallback !== null) parts.push(defaultText(fallback, type));
  if (type.kind === "key") {
    const { table, onDelete } = type;
    const arrow = circle.has(table) ? "(): ColumnReference" : "()";
    const options = onDelete ? `, { onDelete: ${typescriptString(onDelete)} }` : "";
    parts.push(`.references(${arrow} => ${table}.id${options})`);
  }
  if (description !== null) parts.push(`.describe(${typescriptString(description)})`);
  return parts.join("");
}

function startText(
  type: Exclude<draft.DraftColumnType, { readonly kind: "id" | "scope" }>,
  idType: IdType,
): string {
  if (type.kind === "key") return `q.${idType}()`;
  if (type.kind === "account") return "q.account()";
  if (type.kind === "plain") return builderText(type.of);
  // The compiler derives the bounds of a computed column.
  const plain = type.of.kind === "decimal"
    ? builderText({ kind: "decimal", precision: type.of.precision, scale: type.of.scale })
    : `q.${type.of.kind}()`;
  return `q.computed(${plain}, ({ ${type.sources.join(", ")} }) => ${type.text})`;
}

function defaultText(fallback: draft.DraftDefault, type: draft.DraftColumnType): string {
  switch (fallback.kind) {
    case "literal":
      return `.default(${literalText(fallback.value)})`;
    case "now":
      return type.kind === "plain" && type.of.kind === "timestamp"
        ? ".defaultNow()"
        : '.default("now")';
    case "userId":
      return '.default("$ctx.userId")';
    case "random":
      return `.default({ random: ${fallback.length} })`;
    case "sequence": {
      const start = fallback.start === 1 ? "" : `, start: ${fallback.start}`;
      return `.default({ sequence: true${start} })`;
    }
  }
}

function literalText(value: JsonValue): string {
  if (typeof value === "string") return typescriptString(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(literalText).join(", ")}]`;
  const members = Object.entries(value).map(([key, member]) =>
    `${typescriptProperty(key)}: ${literalText(member ?? null)}`
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function builderText(type: DraftType): string {
  switch (type.kind) {
    case "enum":
      return `q.enum([${quoted(type.values)}])`;
    case "list":
      return `q.list(${builderText(type.of)}, { maxItems: ${type.maxItems} })`;
    case "text":
      return type.enum ? `q.text({ enum: [${quoted(type.enum)}] })` : withOptions(type);
    default:
      return withOptions(type);
  }
}

const OPTIONS = [
  "precision",
  "scale",
  "maxLength",
  "minLength",
  "min",
  "max",
  "pattern",
  "examples",
];

function withOptions({ kind, ...facts }: DraftType): string {
  const given = Object.entries(facts).filter(([key, value]) =>
    OPTIONS.includes(key) && value !== null && value !== undefined
  ).map(([key, value]) =>
    `${key}: ${
      Array.isArray(value)
        ? `[${quoted(value)}]`
        : typeof value === "string"
        ? typescriptString(value)
        : value
    }`
  );
  return given.length === 0 ? `q.${kind}()` : `q.${kind}({ ${given.join(", ")} })`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => typescriptString(name)).join(", ");
}

const LINE_MAX = 80;

/** Writes names on one line if they fit, or else one name on each. */
function wrapped(names: readonly string[]): string {
  const line = `[${quoted(names)}]`;
  if (line.length <= LINE_MAX) return line;
  return `[\n${names.map((name) => `      ${typescriptString(name)},\n`).join("")}    ]`;
}
