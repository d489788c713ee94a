/** The corpus over one database, for checks that look at something else than two answers. */
import { type PrincipalClass, principalClassesOf } from "../conformance/mod.ts";
import type { Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { corpusOf } from "../questions/corpus.ts";
import { sightOf } from "../rows/hidden_columns.ts";
import { fittingRows } from "../rows/fitting_rows.ts";
import type { Corpus } from "../questions/question.ts";
import { PEOPLE, type SeededTable, twinRows } from "../rows/twin_rows.ts";

interface Solo {
  /** Fresh for one run. */
  readonly corpus: Corpus;
  readonly rows: readonly SeededTable[];
}

/** Every class of callers, as people of the seeded rows. */
export function soloCallers(model: ProjectModel): readonly PrincipalClass[] {
  return principalClassesOf(model, {
    userId: PEOPLE.caller,
    organizationId: PEOPLE.organization,
    teamId: PEOPLE.team,
  });
}

export function soloFor(model: ProjectModel, caller: Principal): Solo {
  const { hidden } = sightOf(model, caller);
  const [rows = []] = fittingRows([twinRows(model, hidden).one.map(withMoreOwn)]);
  return { corpus: corpusOf({ model, caller, hidden }), rows };
}

/** Callers who see only their own rows must have several, or they never come to a second page. */
const MORE_OWN: readonly number[] = [1, 3];

function withMoreOwn({ table, rows }: SeededTable): SeededTable {
  const owners = [table.scope.owner, "createdBy"].filter((name) => name !== null);
  const own = Object.fromEntries(owners.map((name) => [name, PEOPLE.caller]));
  return {
    table,
    rows: rows.map((row, at) => MORE_OWN.includes(at) ? { ...row, ...own } : row),
  };
}
