/** `src/relations.ts`: drizzle's relations, so that handlers can ask for what belongs to a row (definitions 5). */
import { compareText } from "../../../lib/texts.ts";
import { type TableRelation, tableRelations } from "../../../surface/table_relations.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import { moduleText } from "./typescript/module.ts";
import { printLines } from "./typescript/print.ts";
import { array, call, member, object, type Source, string, text } from "./typescript/source.ts";

/** Null: no table refers to another. */
export function relationsModule(specs: readonly SpecPlan[]): string | null {
  const relations = tableRelations(specs.map(({ table }) => table));
  const related = specs.filter(({ table }) => (relations.get(table.name) ?? []).length > 0);
  if (related.length === 0) return null;
  const byName = new Map(specs.map((spec) => [spec.table.name, spec]));
  const taken = new Set(specs.map(({ identifier }) => identifier));
  return moduleText({
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
  const members = object(relations.map((relation) => {
    const other = specs.get(relation.table);
    if (!other) throw new Error(`Table '${relation.table}' of a relation is not in the output`);
    return [relation.name, relationSource(relation, { identifier, other: other.identifier })];
  }));
  const helpers = `({ ${kinds.join(", ")} })`;
  return `relations(${identifier}, ${helpers} => (${printLines(members)}))`;
}

function relationSource(
  { kind, column, references, key }: TableRelation,
  { identifier, other }: { readonly identifier: string; readonly other: string },
): Source {
  const ends: readonly (readonly [string, Source])[] = kind === "many" ? [] : [
    ["fields", array([text(member(identifier, column))])],
    ["references", array([text(member(other, references))])],
  ];
  return call(kind, [text(other), object([...ends, ["relationName", string(key)]])]);
}
