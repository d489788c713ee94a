/** `src/schema/**`: the tables as drizzle sees them, for authored code. They say what the migrations made. */
import { storageOf, valuesOf } from "../../../column_types/mod.ts";
import { compareText } from "../../../lib/texts.ts";
import { typescriptString } from "../../../lib/typescript_text.ts";
import type { ColumnModel, IndexModel, TableModel } from "../../../model/table.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import { type Import, moduleText } from "./typescript/module.ts";
import { printLines } from "./typescript/print.ts";
import {
  array,
  type Call,
  call,
  chain,
  literal,
  member,
  namesIn,
  object,
  type Source,
  string,
  text,
} from "./typescript/source.ts";

/** Beside each other's names, for references. */
interface SchemaContext {
  readonly specs: ReadonlyMap<string, SpecPlan>;
}

/** Default that makes drizzle write null for a column that is left out, and its type optional. */
const BY_SERVICE = "() => sql`null`";

export function schemaModule(spec: SpecPlan, context: SchemaContext): string {
  const { table, identifier } = spec;
  const columns = object(
    table.columns.map((column) => [column.name, columnSource(column, { spec, context })]),
  );
  const indexes = array(table.indexes.map((index) => indexSource(index, table)));
  const rest = table.indexes.length === 0 ? "" : `, (table) => ${printLines(indexes)}`;
  const name = typescriptString(table.sqlName);
  return moduleText({
    comment: `Table ${table.sqlName}, declared in ${table.origin.file}.`,
    imports: importsOf(spec, { context, names: namesIn([columns, indexes]) }),
    statements: [
      `export const ${identifier} = sqliteTable(${name}, ${printLines(columns)}${rest});`,
    ],
  });
}

/** `src/schema/mod.ts`: every table by its name, and the relations of all. */
export function schemaIndex(
  specs: readonly SpecPlan[],
  { hasRelations }: { readonly hasRelations: boolean },
): string {
  return moduleText({
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

interface ColumnPlace {
  readonly spec: SpecPlan;
  readonly context: SchemaContext;
}

function columnSource(column: ColumnModel, place: ColumnPlace): Source {
  const { table } = place.spec;
  const isKey = column.name === table.primaryKey;
  const serial = isKey && table.idStrategy === "serial";
  return chain(serial ? call("integer", [string(column.sqlName)]) : builder(column), [
    ...(isKey ? [primaryKey(serial)] : []),
    ...(!isKey && !column.nullable ? [call("notNull")] : []),
    ...defaultCalls(column),
    ...(isGivenByService(column) && !serial ? [call("$default", [text(BY_SERVICE)])] : []),
    ...referenceCalls(column, place.context),
  ]);
}

/** Handlers leave it out of an insert, and the service fills it in: ids, scope and stamps. */
function isGivenByService({ manager, nullable, default: value }: ColumnModel): boolean {
  return manager !== "client" && manager !== "revision" && !nullable && value === null;
}

function primaryKey(serial: boolean): Call {
  return call("primaryKey", serial ? [object([["autoIncrement", literal(true)]])] : []);
}

function builder(column: ColumnModel): Call {
  const { sql, mode } = storageOf(column.type);
  const { enum: values } = valuesOf(column);
  const options = [
    ...(mode === null ? [] : [["mode", string(mode)] as const]),
    ...(values === null ? [] : [["enum", literal(values)] as const]),
  ];
  const name = string(column.sqlName);
  return call(sql, options.length === 0 ? [name] : [name, object(options)]);
}

function defaultCalls({ type, default: value }: ColumnModel): readonly Call[] {
  if (value === null) {
    const byType = storageOf(type).default;
    return byType === null ? [] : [call("default", [literal(byType)])];
  }
  if (value.kind === "now") return [call("$default", [text(BY_SERVICE)])];
  return value.value === null ? [] : [call("default", [literal(value.value)])];
}

/** The return type is said: tables may refer to each other in a circle. */
function referenceCalls({ references }: ColumnModel, { specs }: SchemaContext): readonly Call[] {
  if (references === null) return [];
  const target = specs.get(references.table);
  if (!target) throw new Error(`Table '${references.table}' of a reference is not in the output`);
  const column = text(
    `(): AnySQLiteColumn => ${member(target.identifier, references.column)}`,
  );
  const { onDelete } = references;
  return [
    call("references", onDelete ? [column, object([["onDelete", string(onDelete)]])] : [column]),
  ];
}

function indexSource(index: IndexModel, { softDelete }: TableModel): Source {
  const columns = index.columns.map((name) => text(member("table", name)));
  const live = text("sql`${table.deletedAt} IS NULL`");
  return chain(call(index.unique ? "uniqueIndex" : "index", [string(index.name)]), [
    call("on", columns),
    ...(index.unique && softDelete ? [call("where", [live])] : []),
  ]);
}

function importsOf(
  { table, identifier }: SpecPlan,
  { context, names }: { readonly context: SchemaContext; readonly names: ReadonlySet<string> },
): readonly Import[] {
  const targets = new Set(table.columns.flatMap(({ references }) => references?.table ?? []));
  const others = [...targets].flatMap((name) => context.specs.get(name) ?? [])
    .filter((target) => target.identifier !== identifier)
    .sort((a, b) => compareText(a.fileName, b.fileName));
  return [
    { from: "drizzle-orm", names: names.has("sql") ? ["sql"] : [] },
    {
      from: "drizzle-orm/sqlite-core",
      names: [
        ...(targets.size > 0 ? ["type AnySQLiteColumn"] : []),
        ...["index", "integer", "real", "text", "uniqueIndex"].filter((name) => names.has(name)),
        "sqliteTable",
      ],
    },
    ...others.map((target) => ({ from: `./${target.fileName}.ts`, names: [target.identifier] })),
  ];
}
