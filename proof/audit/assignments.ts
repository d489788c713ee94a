/** What an update, or an insert that turns into one, assigns. */
import type { Node } from "sql-parser-cst";
import type { TableUse } from "./table_uses.ts";

/** Values that an UPDATE, or an insert that turns into one, puts into columns. */
interface Assigned {
  /** SQL name in lower case; empty where it is no column's. */
  readonly name: string;
  readonly value: Node;
}

export function assignmentsIn({ statement, role }: TableUse): readonly Assigned[] {
  const clauses: readonly Node[] = statement.clauses;
  const sets = clauses.flatMap((clause): readonly Node[] => {
    if (role === "update") return clause.type === "set_clause" ? [clause] : [];
    return clause.type === "upsert_clause" && clause.action.type === "upsert_action_update"
      ? [clause.action.set]
      : [];
  });
  return sets.flatMap((set) =>
    set.type === "set_clause" ? set.assignments.items.flatMap((one) => assignedBy(one)) : []
  );
}

/** Of several columns at once, none has a value of its own. */
function assignedBy(assignment: Node): readonly Assigned[] {
  if (assignment.type !== "column_assignment") return [{ name: "", value: assignment }];
  const { column, expr } = assignment;
  if (column.type === "identifier") return [{ name: column.name.toLowerCase(), value: expr }];
  const names: readonly Node[] = column.type === "paren_expr" ? column.expr.items : [];
  return names.map((one) => ({
    name: one.type === "identifier" ? one.name.toLowerCase() : "",
    value: assignment,
  }));
}
