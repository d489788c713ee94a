/** Finds what an update assigns, or an insert that turns into an update. */
import type { Node } from "sql-parser-cst";
import type { TableUse } from "./table_uses.ts";

/** Values that an UPDATE, or an insert that turns into one, writes into columns. */
interface Assigned {
  /** SQL name of the column in lower case; empty if it is no column. */
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

/** Returns the assignments. When several columns are assigned at once, none has a separate value. */
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
