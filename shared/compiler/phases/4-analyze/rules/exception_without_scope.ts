/**
 * Reports `exception: true` beside a scope column or a scope: the exception declares that nothing isolates the rows
 * (definitions 4.1).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { columnsAsked } from "../../../../surface/mod.ts";
import type { Rule } from "./rule.ts";

export const exceptionWithoutScope: Rule = ({ analysis, subjects }) => {
  for (const { firewall } of subjects) {
    const { table, exception, predicates } = firewall;
    if (!exception) continue;
    const scoped = [...table.columns.values()].find(({ type }) => scopeOf(type) !== null);
    const predicate = predicates.find((candidate) => candidate.kind !== "notDeleted");
    const column = scoped?.name ??
      (predicate?.kind === "rule" ? columnsAsked(predicate.predicate)[0] : predicate?.column);
    if (column === undefined) continue;
    analysis.report.add("EXCEPTION_WITH_SCOPE", exception, { table: table.name, column });
  }
};
