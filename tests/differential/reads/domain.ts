/** Small random worlds: two tables, their rows and their rules, as definitions and as plain data. */
import type { RawFiles } from "../../../shared/compiler/mod.ts";
import type { Random } from "../../support/random.ts";

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

export const COLUMN_KINDS = [
  "text",
  "int",
  "real",
  "decimal",
  "bool",
  "timestamp",
  "enum",
  "url",
] as const;
export type ColumnKind = typeof COLUMN_KINDS[number] | "id" | "scope";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly required: boolean;
  readonly searchable: boolean;
}

export interface Mask {
  readonly show: readonly string[];
  readonly owner: boolean;
  /** Null: as `show`. */
  readonly query: readonly string[] | null;
}

/** Roles that see everything, and roles that see the rows on which one column has one value. */
export interface Rule {
  readonly roles: readonly string[];
  readonly some: { readonly roles: readonly string[]; readonly column: string } | null;
}

export interface Aggregation {
  readonly name: string;
  readonly fn: "count" | "sum" | "avg" | "min" | "max";
  readonly column: string | null;
}

export interface View {
  readonly fields: readonly string[];
  readonly include: readonly string[];
  readonly filterable: readonly string[] | null;
  readonly sortable: readonly string[] | null;
  readonly defaultSort: readonly string[];
  readonly aggregations: readonly Aggregation[];
}

export const PERIODS = ["day", "week", "month"] as const;

/** A view whose rows are groups. */
export interface Groups {
  readonly keys: readonly { readonly column: string; readonly by: typeof PERIODS[number] | null }[];
  readonly aggregations: readonly Aggregation[];
}

/** A column of vectors: of each row, by its id, where it has one. */
export interface Vector {
  readonly column: string;
  readonly metric: "cosine" | "euclidean";
  readonly dimensions: number;
  readonly mask: Mask | null;
  readonly values: ReadonlyMap<string, readonly number[]>;
}

export interface Table {
  readonly name: string;
  /** All columns in the order of an answer. */
  readonly columns: readonly Column[];
  /** What an author declares. */
  readonly declared: readonly Column[];
  readonly masks: ReadonlyMap<string, Mask>;
  readonly read: Rule;
  readonly ownerScoped: boolean;
  readonly defaultSort: string;
  readonly view: View | null;
  readonly groups: Groups;
  /** Null: no row is near to anything. */
  readonly vector: Vector | null;
  /** Roles that see and restore what is deleted; null: nobody. */
  readonly restore: readonly string[] | null;
  readonly rows: readonly Row[];
}

export interface World {
  readonly strict: boolean;
  readonly authors: Table;
  readonly notes: Table;
}

export const ROLES = ["admin", "editor", "guest"] as const;
const ORGANIZATIONS = ["o1", "o1", "o1", "o2"] as const;
const USERS = ["u1", "u2"] as const;
/** Digits behind the point. */
export const DECIMAL_SCALE = 2;
export const ENUM = ["low", "mid", "high"] as const;

const VALUES: Readonly<Record<typeof COLUMN_KINDS[number], readonly Cell[]>> = {
  text: [
    "",
    "a",
    "A",
    "ab",
    "b%",
    "b_",
    "100%",
    "é",
    "É",
    "ſk",
    "\uff5e",
    "😀",
    "\\",
    "zz,z",
    "ａ",
  ],
  int: [0, 1, -1, 7, 7, 100, 2 ** 53 - 1, -(2 ** 53 - 1)],
  real: [0, 0.5, -0.5, 1, 2, 0.1, 1e-9, 123456.75],
  /** As they are stored, without the point. */
  decimal: [0, 1, -1, 5, 50, 1250, -1250, 1251, 999_999_999],
  bool: [0, 1],
  timestamp: ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z"],
  enum: ENUM,
  url: ["https://a.example/", "https://b.example/x", "http://a.example/?q=%25"],
};

export function valuesOf(kind: typeof COLUMN_KINDS[number]): readonly Cell[] {
  return VALUES[kind];
}

export function randomWorld(random: Random): World {
  const authors = randomTable(random, { name: "authors", foreignKey: null, targets: [] });
  const targets = authors.rows.map((row) => String(row["id"]));
  const notes = randomTable(random, { name: "notes", foreignKey: "authorId", targets });
  return { strict: random.chance(50), authors, notes };
}

interface TableOptions {
  readonly name: string;
  readonly foreignKey: string | null;
  readonly targets: readonly string[];
}

function randomTable(random: Random, { name, foreignKey, targets }: TableOptions): Table {
  const ownerScoped = foreignKey !== null && random.chance(25);
  const declared: Column[] = [
    column("title", "text", { required: true, searchable: true }),
    ...(foreignKey === null ? [] : [column(foreignKey, "text", { required: false })]),
    ...Array.from(
      { length: 2 + random.below(4) },
      (_, at) =>
        column(`c${at}`, random.pick(COLUMN_KINDS), {
          required: random.chance(30),
          searchable: false,
        }),
    ),
  ].map((one) => one.kind === "text" && random.chance(40) ? { ...one, searchable: true } : one);
  const columns = [
    column("id", "id", { required: true }),
    column("organizationId", "scope", { required: true }),
    ...(ownerScoped ? [column("ownerId", "scope", { required: true })] : []),
    ...declared,
    column("createdAt", "timestamp", { required: true }),
    column("createdBy", "text", { required: false }),
    column("modifiedAt", "timestamp", { required: false }),
    column("modifiedBy", "text", { required: false }),
    column("deletedAt", "timestamp", { required: false }),
    column("deletedBy", "text", { required: false }),
  ];
  const maskable = declared.filter(() => random.chance(25));
  const masks = new Map(maskable.map(({ name: masked }) => [masked, randomMask(random)]));
  const table = { name, columns, declared, masks, ownerScoped };
  return {
    ...table,
    read: randomRule(random),
    defaultSort: randomSort(random, declared, 1)[0] ?? "createdAt",
    view: random.chance(80) ? randomView(random, { columns, declared, foreignKey }) : null,
    groups: randomGroups(random, declared),
    vector: null,
    restore: random.chance(60) ? subset(random, ROLES) : null,
    rows: Array.from(
      { length: random.below(26) },
      (_, at) => randomRow(random, { table, at, foreignKey, targets }),
    ),
  };
}

function column(
  name: string,
  kind: ColumnKind,
  rest: { readonly required: boolean; readonly searchable?: boolean },
): Column {
  return { name, kind, searchable: false, ...rest };
}

export function randomMask(random: Random): Mask {
  const query = subset(random, ROLES);
  return {
    show: subset(random, ROLES),
    owner: random.chance(50),
    query: random.chance(50) || query.length === 0 ? null : query,
  };
}

function randomRule(random: Random): Rule {
  const roles = ["admin", ...subset(random, ["editor"])];
  const others = ["guest", ...(roles.includes("editor") ? [] : ["editor"])];
  const some = random.chance(70)
    ? { roles: others, column: random.pick(["createdBy", "title"]) }
    : null;
  return { roles, some };
}

function randomView(
  random: Random,
  { columns, declared, foreignKey }: {
    readonly columns: readonly Column[];
    readonly declared: readonly Column[];
    readonly foreignKey: string | null;
  },
): View {
  const names = columns.map(({ name }) => name);
  const picked = subset(random, names);
  const fields = picked.length > 0 ? picked : ["title"];
  const list = () => random.chance(50) ? null : subset(random, fields);
  return {
    fields,
    include: foreignKey !== null && fields.includes(foreignKey) ? [foreignKey] : [],
    filterable: list(),
    sortable: list(),
    defaultSort: randomSort(random, columns, 2),
    aggregations: random.chance(60) ? randomAggregations(random, declared) : [],
  };
}

function randomGroups(random: Random, declared: readonly Column[]): Groups {
  const columns = [...declared, column("createdAt", "timestamp", { required: true })];
  const names = new Set(
    Array.from({ length: 1 + random.below(2) }, () => random.pick(columns).name),
  );
  const keys = columns.filter(({ name }) => names.has(name)).map(({ name, kind }) => ({
    column: name,
    by: kind === "timestamp" && random.chance(70) ? random.pick(PERIODS) : null,
  }));
  return { keys, aggregations: randomAggregations(random, declared) };
}

function randomAggregations(random: Random, declared: readonly Column[]): readonly Aggregation[] {
  const all: Aggregation[] = [
    { name: "all", fn: "count", column: null },
    ...declared.flatMap(({ name, kind }): Aggregation[] => {
      const fns: readonly Aggregation["fn"][] = ["int", "real", "decimal"].includes(kind)
        ? ["count", "sum", "avg", "min", "max"]
        : kind === "bool"
        ? ["count"]
        : ["count", "min", "max"];
      return fns.map((fn) => ({ name: `${fn}_${name}`, fn, column: name }));
    }),
  ];
  const some = all.filter(() => random.chance(30));
  return some.length > 0 ? some : all.slice(0, 1);
}

function randomSort(random: Random, columns: readonly Column[], most: number): readonly string[] {
  const names = new Set(
    Array.from({ length: 1 + random.below(most) }, () => random.pick(columns).name),
  );
  return [...names].map((name) => random.chance(50) ? `-${name}` : name);
}

function randomRow(
  random: Random,
  { table, at, foreignKey, targets }: {
    readonly table: Pick<Table, "columns">;
    readonly at: number;
    readonly foreignKey: string | null;
    readonly targets: readonly string[];
  },
): Row {
  return Object.fromEntries(table.columns.map(({ name, kind, required }): [string, Cell] => {
    if (name === "id") return [name, `${foreignKey === null ? "a" : "n"}${(at * 7) % 31}`];
    if (name === "organizationId") return [name, random.pick(ORGANIZATIONS)];
    if (name === "ownerId" || name === "createdBy") return [name, random.pick(USERS)];
    if (name === "deletedAt") return [name, random.chance(10) ? "2026-01-01T00:00:00.000Z" : null];
    if (name === "modifiedBy" || name === "deletedBy") return [name, null];
    if (!required && random.chance(30)) return [name, null];
    if (name === foreignKey) return [name, targets.length > 0 ? random.pick(targets) : null];
    if (kind === "id" || kind === "scope") throw new Error(`Column ${name} has no values`);
    return [name, random.pick(VALUES[kind])];
  }));
}

export function subset<T>(random: Random, from: readonly T[]): readonly T[] {
  return from.filter(() => random.chance(50));
}

/** The world as an author writes it. */
export function definitionsOf({ strict, authors, notes }: World): RawFiles {
  return {
    "quickback/quickback.config.ts": `export default { name: "world", contract: { version: "${
      strict ? "v2" : "v1"
    }" }, auth: { jwt: {} } };\n`,
    "quickback/features/authors/authors.ts": featureText(authors),
    "quickback/features/notes/notes.ts": featureText(notes),
  };
}

function featureText(table: Table): string {
  const { name, declared, masks, read, ownerScoped, defaultSort, view, groups, restore, vector } =
    table;
  const columns = [
    "id: q.id()",
    'organizationId: q.scope("organization")',
    ...(ownerScoped ? ['ownerId: q.scope("owner")'] : []),
    ...declared.map((one) => `${one.name}: ${builderText(one)}`),
    ...(vector === null ? [] : [`${vector.column}: ${vectorText(vector)}`]),
  ];
  const access = read.some === null
    ? rolesText(read.roles)
    : `{ or: [${rolesText(read.roles)}, { roles: ${
      JSON.stringify(read.some.roles)
    }, record: { ${read.some.column}: ${conditionText(read.some.column)} } }] }`;
  const vectorMask = vector?.mask ? [[vector.column, vector.mask] as const] : [];
  const masking = [...masks, ...vectorMask].map(([column, mask]) => `${column}: ${maskText(mask)}`);
  const isSource = name === "notes";
  return [
    'import { feature, q } from "quickback";',
    ...(isSource ? ['import authors from "../authors/authors.ts";'] : []),
    `export default feature("${name}", {`,
    `  columns: { ${columns.join(", ")} },`,
    `  masking: { ${masking.join(", ")} },`,
    `  read: { access: ${access}, include: ["${
      isSource ? "authorId" : "notes.authorId"
    }"], views: { ${viewText(view)}${groupsText(groups)} } },`,
    // Roles are named, or it admits nobody.
    ...(restore === null ? [] : [
      `  delete: { access: ${rolesText(["admin"])}, restore: { access: ${rolesText(restore)} } },`,
    ]),
    '  displayColumn: "title",',
    `  defaultSort: "${defaultSort}",`,
    "});",
  ].join("\n");
}

/** A list of roles names one at least, or is left out. */
function maskText({ show, owner, query }: Mask): string {
  const shown = [
    ...(show.length > 0 ? [`roles: ${JSON.stringify(show)}`] : []),
    ...(owner ? ['or: "owner"'] : []),
  ];
  const parts = [
    'type: "redact"',
    ...(shown.length > 0 ? [`show: { ${shown.join(", ")} }`] : []),
    ...(query === null ? [] : [`query: ${rolesText(query)}`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

function builderText({ name, kind, required, searchable }: Column): string {
  const options = {
    enum: JSON.stringify(ENUM),
    decimal: JSON.stringify({ precision: 9, scale: DECIMAL_SCALE }),
  };
  const builder = `q.${kind}(${kind === "enum" || kind === "decimal" ? options[kind] : ""})`;
  const reference = name === "authorId" ? ".references(() => authors.id)" : "";
  return `${builder}${required ? ".required()" : ""}${
    searchable ? ".searchable()" : ""
  }${reference}`;
}

function vectorText({ dimensions, metric }: Vector): string {
  return `q.vector({ dimensions: ${dimensions}, metric: "${metric}" })`;
}

function rolesText(roles: readonly string[]): string {
  return `{ roles: ${JSON.stringify(roles)} }`;
}

/** Of the rule's `some`. */
export const RULE_TITLE = "a";

function conditionText(column: string): string {
  return column === "createdBy" ? '{ equals: "$ctx.userId" }' : `{ notEquals: "${RULE_TITLE}" }`;
}

function groupsText({ keys, aggregations }: Groups): string {
  const columns = keys.map(({ column, by }) =>
    by === null ? JSON.stringify(column) : `{ field: "${column}", by: "${by}" }`
  );
  const numbers = aggregations.map(({ name, fn, column }) =>
    `${name}: { fn: "${fn}"${column === null ? "" : `, field: "${column}"`} }`
  );
  return `groups: { groupBy: [${columns.join(", ")}], aggregations: { ${numbers.join(", ")} } }`;
}

function viewText(view: View | null): string {
  if (view === null) return "";
  const { fields, include, filterable, sortable, defaultSort, aggregations } = view;
  const query = [
    ...(filterable === null ? [] : [`filterable: ${JSON.stringify(filterable)}`]),
    ...(sortable === null ? [] : [`sortable: ${JSON.stringify(sortable)}`]),
  ];
  const numbers = aggregations.map(({ name, fn, column }) =>
    `${name}: { fn: "${fn}"${column === null ? "" : `, field: "${column}"`} }`
  );
  return `board: { fields: ${JSON.stringify(fields)}, include: ${JSON.stringify(include)}, ` +
    `query: { ${query.join(", ")} }, defaultSort: "${defaultSort.join(",")}", ` +
    `aggregations: { ${numbers.join(", ")} } }, `;
}
