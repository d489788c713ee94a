/** `src/resources/<table>.ts`: one literal that says all there is to know about a table and its routes. */
import type { JsonValue } from "../../../model/table.ts";
import type { TableSpec } from "../../../model/table_spec.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import { specTerm, TERMS } from "./spec_terms.ts";
import { moduleText } from "./typescript/module.ts";
import { statement } from "./typescript/print.ts";
import { literal, namesIn } from "./typescript/source.ts";

export function specModule({ table, resource, identifier }: SpecPlan): string {
  const source = literal(plain({ table, resource }), specTerm);
  const names = namesIn([source]);
  const used = (module: keyof typeof TERMS) => TERMS[module].filter((name) => names.has(name));
  const what = resource ? "Table and routes of" : "Table without routes:";
  return moduleText({
    comment: `${what} ${table.name}, declared in ${table.origin.file}.`,
    imports: [
      { from: "../quickback/model/access.ts", names: used("access") },
      {
        from: "../quickback/model/table_spec.ts",
        names: [...used("table_spec"), "type TableSpec"],
      },
    ],
    statements: [statement(`export const ${identifier}: TableSpec = `, source)],
  });
}

/** Types a specification as JSON: a model is JSON by design (architecture, invariant 2). */
function plain(spec: TableSpec): JsonValue {
  return JSON.parse(JSON.stringify(spec));
}
