/** Rules whose truth depends on other rows: the proofs, which know one row at a time, do not judge them yet (docs/proof.md). */
import type { ProjectModel } from "../model/mod.ts";
import { accessPredicates, followsRelations } from "../surface/mod.ts";
import { ruledRoutesOf } from "./routes.ts";

/** Where each of them stands: `firewall of lines`, `listLines`, `mask of lines.price`. */
export function relatedRules(model: ProjectModel): readonly string[] {
  return [
    ...model.tables.filter(({ firewall }) =>
      firewall.some((one) => one.kind === "rule" && followsRelations(one.predicate))
    ).map(({ name }) => `firewall of ${name}`),
    ...ruledRoutesOf(model).filter(({ access }) => accessPredicates(access).some(followsRelations))
      .map(({ operationId }) => operationId),
    ...model.resources.flatMap(({ name, masks }) =>
      Object.entries(masks).filter(([, { showRows }]) => showRows && followsRelations(showRows))
        .map(([column]) => `mask of ${name}.${column}`)
    ),
  ];
}
