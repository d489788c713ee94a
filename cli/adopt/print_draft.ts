/** Writes a draft as definition files and as the list of what to decide. */
import { typescriptString } from "../../shared/lib/typescript_text.ts";
import { kebabCase } from "../../shared/surface/names.ts";
import type { Draft, DraftColumn, DraftTable, DraftType } from "./draft.ts";

/** How the project makes its ids: what refers to one has the same type. */
export type IdType = "text" | "int";

/** Path in the project → text. */
export function printDraft(draft: Draft, idType: IdType): Readonly<Record<string, string>> {
  const files = draft.tables.map((table) => [
    `quickback/features/${kebabCase(table.name)}/${table.name}.ts`,
    tableText(table, draft.tables, idType),
  ]);
  const tables = [...new Set(draft.decisions.map(({ table }) => table))];
  const parts = tables.flatMap((table) => [
    ...(table === null ? [] : [`## ${table}`, ""]),
    ...draft.decisions.filter((one) => one.table === table).map(({ text }) =>
      `- [ ] ${oneLine(text)}`
    ),
    "",
  ]);
  return Object.fromEntries([...files, [
    "DECIDE.md",
    ["# What to decide", "", ...parts].join("\n"),
  ]]);
}

/** Foreign names could begin a line of their own. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ");
}

function tableText(table: DraftTable, all: readonly DraftTable[], idType: IdType): string {
  const { name, columns, unique, isShared } = table;
  const circle = new Set(parentsOf(table).filter((parent) => reaches(parent, name, all)));
  const names = columns.filter(({ type }) => type.kind !== "id" && type.kind !== "scope")
    .map((column) => column.name);
  const isOwnParent = circle.has(name);
  const isRestricted = all.some((one) =>
    one.columns.some(({ references }) =>
      references?.table === name && references.onDelete === "restrict"
    )
  );
  const symbols = [
    ...(circle.size > 0 ? ["type ColumnReference"] : []),
    ...(isOwnParent ? ["defineTable"] : ["feature"]),
    "q",
  ];
  return [
    `import { ${symbols.join(", ")} } from "quickback";`,
    ...parentsOf(table).filter((parent) => parent !== name).map((parent) => {
      // A table that refers to itself stands under its own name in its file.
      const isOwn = all.some((one) => one.name === parent && parentsOf(one).includes(parent));
      return `import ${isOwn ? `{ ${parent} }` : parent} from "../${
        kebabCase(parent)
      }/${parent}.ts";`;
    }),
    "",
    isOwnParent
      ? `export const ${name} = q.table("${name}", {`
      : `export default feature("${name}", {\n  columns: {`,
    ...columns.map((column) =>
      `${isOwnParent ? "  " : "    "}${column.name}: ${columnText(column, circle, idType)},`
    ),
    isOwnParent ? `});\n\nexport default defineTable(${name}, {` : "  },",
    ...(unique.length === 0 ? [] : [
      `  unique: [${unique.map((set) => `{ columns: [${quoted(set)}] }`).join(", ")}],`,
    ]),
    ...(isShared ? ["  firewall: { exception: true },"] : []),
    `  guards: {\n    createable: ${wrapped(names)},\n    updatable: ${wrapped(names)},\n  },`,
    "  // Nobody yet: name the roles.",
    ...["read", "create", "update"].map((verb) => `  ${verb}: { access: { roles: [] } },`),
    `  delete: { access: { roles: [] }${isRestricted ? ', children: "refuse"' : ""} },`,
    "});",
    "",
  ].join("\n");
}

function parentsOf({ columns }: DraftTable): readonly string[] {
  return [...new Set(columns.flatMap(({ references }) => references?.table ?? []))].sort();
}

/** True when a path of references leads from one table to the other. */
function reaches(from: string, to: string, all: readonly DraftTable[]): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    const table = all.find((one) => one.name === name);
    for (const parent of table ? parentsOf(table) : []) seen.add(parent);
  }
  return false;
}

function columnText(
  { type, isRequired, isUnique, fallback, references }: DraftColumn,
  circle: ReadonlySet<string>,
  idType: IdType,
): string {
  if (type.kind === "id") return "q.id()";
  if (type.kind === "scope") return `q.scope("${type.of}")`;
  const parts = [builderText(type)];
  if (references) parts[0] = `q.${idType}()`;
  if (isRequired) parts.push(".required()");
  if (isUnique) parts.push(".unique()");
  const isStorable = typeof fallback !== "number" || Number.isFinite(fallback);
  if (typeof fallback !== "object" && isStorable) parts.push(`.default(${literalOf(fallback)})`);
  else if (fallback !== null && type.kind === "timestamp") parts.push(".defaultNow()");
  if (references) {
    const { table, onDelete } = references;
    const arrow = circle.has(table) ? "(): ColumnReference" : "()";
    const options = onDelete ? `, { onDelete: ${typescriptString(onDelete)} }` : "";
    parts.push(`.references(${arrow} => ${table}.id${options})`);
  }
  return parts.join("");
}

function literalOf(value: string | number | boolean): string {
  return typeof value === "string" ? typescriptString(value) : String(value);
}

function builderText(type: DraftType): string {
  switch (type.kind) {
    case "enum":
      return `q.enum([${quoted(type.values)}])`;
    case "decimal":
      return `q.decimal({ precision: ${type.precision}, scale: ${type.scale} })`;
    default:
      return `q.${type.kind}()`;
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => typescriptString(name)).join(", ");
}

const LINE_MAX = 80;

/** On one line where it fits; else one name on each. */
function wrapped(names: readonly string[]): string {
  const line = `[${quoted(names)}]`;
  if (line.length <= LINE_MAX) return line;
  return `[\n${names.map((name) => `      ${typescriptString(name)},\n`).join("")}    ]`;
}
