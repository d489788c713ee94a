/**
 * Finds totals over rows that their reader sees only in part: the definitions allow these totals to be shown
 * (docs/decisions/relations.md).
 */
import { mayRead } from "./expected_record.ts";
import { isVisible, lookingOf, type Planning, rowsOf } from "./planning.ts";
import type { Admission } from "../rows/mod.ts";
import { tableNamed, tableOf } from "../../shared/surface/mod.ts";

export function widerTotals(planning: Planning): readonly Admission[] {
  const { model } = planning;
  const looking = lookingOf(planning);
  return model.resources.flatMap((resource) => {
    const parent = tableOf(resource, model);
    return parent.columns.flatMap(({ name, rollup }): readonly Admission[] => {
      if (!rollup) return [];
      const child = tableNamed(rollup.table, model);
      const reader = model.resources.find((one) => one.table === child.name);
      const counted = rowsOf(child, planning).filter(({ values }) =>
        (values["deletedAt"] ?? null) === null
      );
      const isWider = rowsOf(parent, planning).filter((row) => mayRead(resource, row, looking))
        .some((row) =>
          counted.some((one) =>
            one.values[rollup.foreignKey] === row.id &&
            (reader ? !mayRead(reader, one, looking) : !isVisible(child, one.values, planning))
          )
        );
      if (!isWider) return [];
      return [{ kind: "rule", column: `${parent.name}.${name}`, over: child.name }];
    });
  });
}
