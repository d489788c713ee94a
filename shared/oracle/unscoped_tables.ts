/**
 * Lists tables that some callers read without a scope: no member of their firewall depends on the caller (definitions 4.1,
 * `exception: true`).
 */
import { columnPredicates, type ProjectModel } from "../model/mod.ts";
import { bindingPredicates } from "./judge.ts";
import { principalClassesOf } from "./principal_class.ts";

export interface UnscopedTable {
  readonly table: string;
  /** Classes of callers whose statements reach every organization's and every user's rows. */
  readonly principals: readonly string[];
  /** True if these are all classes. */
  readonly isEverybodys: boolean;
  readonly file: string;
  readonly line: number;
}

/** Returns them in the order of the tables. */
export function unscopedTables(model: ProjectModel): readonly UnscopedTable[] {
  const classes = principalClassesOf(model);
  return model.tables.flatMap((table): UnscopedTable[] => {
    const reading = classes.filter(({ caller }) =>
      !columnPredicates(bindingPredicates(table, caller)).some(({ operand }) =>
        operand.kind === "context" || operand.kind === "contextList"
      )
    );
    if (reading.length === 0) return [];
    return [{
      table: table.name,
      principals: reading.map(({ name }) => name),
      isEverybodys: reading.length === classes.length,
      file: table.origin.file,
      line: table.origin.line,
    }];
  });
}

/** Returns a table as text: `read without a scope: countries, by everybody (quickback/features/desk/countries.ts:3)`. */
export function unscopedText(
  { table, principals, isEverybodys, file, line }: UnscopedTable,
): string {
  const readers = isEverybodys ? "everybody" : principals.join(", ");
  return `read without a scope: ${table}, by ${readers} (${file}:${line})`;
}
