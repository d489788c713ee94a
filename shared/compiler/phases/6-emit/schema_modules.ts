/**
 * Writes `src/schema/**`: the tables as drizzle schemas, for authored code. They describe the tables that the migrations
 * create.
 */
import { fileOf, holdsFiles, storageOf, valuesOf } from "../../../column_types/mod.ts";
import { compareText } from "../../../lib/texts.ts";
import { typescriptString } from "../../../lib/typescript_text.ts";
import type { ColumnModel, TableModel } from "../../../model/mod.ts";
import { recordColumns } from "../../../surface/mod.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import * as write from "./typescript/source.ts";
import { printLines } from "./typescript/print.ts";

/** Tables and their names, for references between them. */
interface SchemaContext {
  readonly specs: ReadonlyMap<string, SpecPlan>;
}

/** Default that makes drizzle write null for a column that is left out, and makes its type optional. */
const BY_SERVICE = "() => sql`null`";

/** Type of a file in a row. `files.put` returns it, and `files.get` accepts it. */
const FILE_CELL = "{ id: string; name: string; size: number; type: string; sha256: string }";

export function schemaModule(spec: SpecPlan, context: SchemaContext): string {
  const { table, identifier } = spec;
  const columns = write.object(
    recordColumns(table).map((column) => [column.name, columnSource(column, spec, context)]),
  );
  const indexes = write.array(table.indexes.map((index) => {
    const columns = index.columns.map((name) => write.text(write.member("table", name)));
    const live = write.text("sql`${table.deletedAt} IS NULL`");
    return write.chain(
      write.call(index.unique ? "uniqueIndex" : "index", [write.string(index.name)]),
      [
        write.call("on", columns),
        ...(index.unique && table.softDelete ? [write.call("where", [live])] : []),
      ],
    );
  }));
  const rest = table.indexes.length === 0 ? "" : `, (table) => ${printLines(indexes)}`;
  const name = typescriptString(table.sqlName);
  const names = write.namesIn([columns, indexes]);
  const targets = new Set(table.columns.flatMap(({ references }) => references?.table ?? []));
  const others = [...targets].flatMap((name) => context.specs.get(name) ?? [])
    .filter((target) => target.identifier !== identifier)
    .sort((a, b) => compareText(a.fileName, b.fileName));
  return write.moduleText({
    comment: `Table ${table.sqlName}, declared in ${table.origin.file}.`,
    imports: [
      { from: "drizzle-orm", names: names.has("sql") ? ["sql"] : [] },
      {
        from: "drizzle-orm/sqlite-core",
        names: [
          ...(targets.size > 0 ? ["type AnySQLiteColumn"] : []),
          ...["customType", "index", "integer", "real", "text", "uniqueIndex"].filter((name) =>
            names.has(name)
          ),
          "sqliteTable",
        ],
      },
      ...others.map((target) => ({ from: `./${target.fileName}.ts`, names: [target.identifier] })),
    ],
    statements: [
      `export const ${identifier} = sqliteTable(${name}, ${printLines(columns)}${rest});`,
    ],
  });
}

/** Writes `src/schema/mod.ts`: every table by its name, and the relations of all. */
export function schemaIndex(
  specs: readonly SpecPlan[],
  { hasRelations }: { readonly hasRelations: boolean },
): string {
  return write.moduleText({
    comment: "All tables of the project.",
    imports: [],
    statements: [
      [
        ...(hasRelations ? ['export * from "../relations.ts";'] : []),
        ...specs.map(({ identifier, fileName }) =>
          `export { ${identifier} } from "./${fileName}.ts";`
        ),
      ].join("\n"),
    ],
  });
}

function columnSource(column: ColumnModel, spec: SpecPlan, context: SchemaContext): write.Source {
  const { table } = spec;
  const isKey = column.name === table.primaryKey;
  const serial = isKey && table.idStrategy === "serial";
  return write.chain(
    serial ? write.call("integer", [write.string(column.sqlName)]) : builder(column),
    [
      ...(isKey
        ? [
          write.call(
            "primaryKey",
            serial ? [write.object([["autoIncrement", write.literal(true)]])] : [],
          ),
        ]
        : []),
      ...(fileOf(column.type) === null
        ? []
        : [write.call(`$type<${FILE_CELL}${holdsFiles(column.type) ? "[]" : ""}>`)]),
      ...(!isKey && !column.nullable ? [write.call("notNull")] : []),
      ...defaultCalls(column),
      // Handlers leave the column out of an insert, and the service fills it in: ids, scope and stamps.
      ...(column.manager !== "client" && column.manager !== "revision" && !column.nullable &&
          column.default === null && !serial
        ? [write.call("$default", [write.text(BY_SERVICE)])]
        : []),
      ...referenceCalls(column, context),
    ],
  );
}

function builder(column: ColumnModel): write.Call {
  const { sql, mode } = storageOf(column.type);
  // The scoped database returns such a number as a string. A statement that bypasses it stores a whole number.
  if (mode === "decimal") {
    return write.call('customType<{ data: string }>({ dataType: () => "integer" })', [
      write.string(column.sqlName),
    ]);
  }
  const { enum: values } = valuesOf(column);
  const options = [
    ...(mode === null ? [] : [["mode", write.string(mode)] as const]),
    ...(values === null ? [] : [["enum", write.literal(values)] as const]),
  ];
  const name = write.string(column.sqlName);
  return write.call(sql, options.length === 0 ? [name] : [name, write.object(options)]);
}

function defaultCalls({ type, default: value }: ColumnModel): readonly write.Call[] {
  if (value === null) {
    const byType = storageOf(type).default;
    return byType === null ? [] : [write.call("default", [write.literal(byType)])];
  }
  if (value.kind !== "literal") return [write.call("$default", [write.text(BY_SERVICE)])];
  return value.value === null ? [] : [write.call("default", [write.literal(value.value)])];
}

/**
 * Returns the reference calls of a column. Their return type is explicit, because tables may refer to each other in a circle.
 */
function referenceCalls(
  { references }: ColumnModel,
  { specs }: SchemaContext,
): readonly write.Call[] {
  if (references === null) return [];
  const target = specs.get(references.table);
  if (!target) throw new Error(`Table '${references.table}' of a reference is not in the output`);
  const column = write.text(
    `(): AnySQLiteColumn => ${write.member(target.identifier, references.column)}`,
  );
  const { onDelete } = references;
  return [
    write.call(
      "references",
      onDelete ? [column, write.object([["onDelete", write.string(onDelete)]])] : [column],
    ),
  ];
}

/** Writes the relations module; null: no table refers to another. */
export function relationsModule(specs: readonly SpecPlan[]): string | null {
  const relations = tableRelations(specs.map(({ table }) => table));
  const related = specs.filter(({ table }) => (relations.get(table.name) ?? []).length > 0);
  if (related.length === 0) return null;
  const byName = new Map(specs.map((spec) => [spec.table.name, spec]));
  const taken = new Set(specs.map(({ identifier }) => identifier));
  return write.moduleText({
    comment: "What belongs to a row, by the foreign keys of the project.",
    imports: [
      { from: "drizzle-orm", names: ["relations"] },
      ...[...related].sort((a, b) => compareText(a.fileName, b.fileName)).map((spec) => ({
        from: `./schema/${spec.fileName}.ts`,
        names: [spec.identifier],
      })),
    ],
    statements: related.map((spec) => {
      const source = relationsSource(spec, relations.get(spec.table.name) ?? [], byName);
      return `export const ${freeName(`${spec.identifier}Relations`, taken)} = ${source};`;
    }),
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name;
}

function relationsSource(
  { identifier }: SpecPlan,
  relations: readonly TableRelation[],
  specs: ReadonlyMap<string, SpecPlan>,
): string {
  const kinds = ["one", "many"].filter((kind) => relations.some((each) => each.kind === kind));
  const members = write.object(relations.map((relation) => {
    const other = specs.get(relation.table);
    if (!other) throw new Error(`Table '${relation.table}' of a relation is not in the output`);
    return [relation.name, relationSource(relation, identifier, other.identifier)];
  }));
  const helpers = `({ ${kinds.join(", ")} })`;
  return `relations(${identifier}, ${helpers} => (${printLines(members)}))`;
}

function relationSource(
  { kind, column, references, key }: TableRelation,
  identifier: string,
  other: string,
): write.Source {
  const ends: readonly (readonly [string, write.Source])[] = kind === "many" ? [] : [
    ["fields", write.array([write.text(write.member(identifier, column))])],
    ["references", write.array([write.text(write.member(other, references))])],
  ];
  return write.call(kind, [
    write.text(other),
    write.object([...ends, ["relationName", write.string(key)]]),
  ]);
}

/** Relation of a table under its name in `db.query`, computed from a foreign key (definitions 5). */
interface TableRelation {
  /** Name of the relation, unique in its table, and different from its columns. */
  readonly name: string;
  /** Kind of the relation: `one` follows the table's own foreign key, `many` the other table's. */
  readonly kind: "one" | "many";
  /** The other table. */
  readonly table: string;
  /** The foreign key's column, and the column that it refers to. */
  readonly column: string;
  readonly references: string;
  /** Key of the relation, equal at both ends. */
  readonly key: string;
}

/**
 * Returns the relations by table, sorted by name: `customerId` makes the relation `customer`, and `tickets` in the other
 * direction.
 */
export function tableRelations(
  tables: readonly TableModel[],
): ReadonlyMap<string, readonly TableRelation[]> {
  const keys = tables.flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, references }) =>
      references === null
        ? []
        : [{ child: name, parent: references.table, column, references: references.column }]
    )
  );
  return new Map(tables.map((table) => {
    const columns = table.columns.map(({ name }) => name);
    const own = keys.filter(({ child }) => child === table.name).map(
      ({ child, parent, column, references }): TableRelation => {
        const name = column.length > 2 && column.endsWith("Id")
          ? column.slice(0, -2)
          : `${column}Row`;
        return { name, kind: "one", table: parent, column, references, key: `${child}.${column}` };
      },
    );
    const others = keys.filter(({ parent }) => parent === table.name).map((key) => many(key, keys));
    // A name that is taken gets `Row` or `Rows`; if that is taken too, the relation is left out.
    const taken = new Set(columns);
    return [
      table.name,
      [...own, ...others].flatMap((relation) => {
        const longer = `${relation.name}${relation.kind === "one" ? "Row" : "Rows"}`;
        const name = [relation.name, longer].find((candidate) => !taken.has(candidate));
        if (name === undefined) return [];
        taken.add(name);
        return [{ ...relation, name }];
      }).sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    ];
  }));
}

interface ForeignKey {
  readonly child: string;
  readonly parent: string;
  readonly column: string;
  readonly references: string;
}

/** Returns the child's name. It includes the column's if the child refers to the same parent twice, or to itself. */
function many(
  { child, parent, column, references }: ForeignKey,
  keys: readonly ForeignKey[],
): TableRelation {
  const isOnly = child !== parent &&
    keys.filter((key) => key.child === child && key.parent === parent).length === 1;
  const name = isOnly ? child : `${child}By${column.charAt(0).toUpperCase()}${column.slice(1)}`;
  return { name, kind: "many", table: child, column, references, key: `${child}.${column}` };
}
