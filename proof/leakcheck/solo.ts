/** Every question over one database, for checks that look at something else than two answers. */
import type { ProjectModel } from "../../shared/model/project.ts";
import { keysetQuestions, questionsOf } from "../questions/plan.ts";
import type { Corpus } from "../questions/question.ts";
import { sightOf } from "../rows/hidden_columns.ts";
import { peerVariant, type SeedRow } from "../rows/seed_rows.ts";
import { fittingRows } from "../rows/unique_rows.ts";
import type { World } from "../rows/world.ts";
import { planTwins } from "./leakcheck.ts";

interface Solo {
  /** Fresh for one run. Reads come first: the last ones delete. */
  readonly corpus: Corpus;
  readonly rows: readonly SeedRow[];
}

export function soloFor(model: ProjectModel, world: World): Solo {
  const planning = planTwins(model, world, sightOf(model, world.caller).hidden);
  const [rows = []] = fittingRows([planning.rows.map((row) => withOwner(row, world))]);
  return { corpus: questionsOverOne(planning), rows };
}

function* questionsOverOne(planning: Parameters<typeof questionsOf>[0]): Corpus {
  yield* keysetQuestions(planning);
  yield* questionsOf(planning);
}

/** Callers who see only their own rows must have several, or they never come to a second page. */
const MORE_OWN: readonly string[] = [peerVariant(0), peerVariant(2)];

function withOwner(row: SeedRow, { home }: World): SeedRow {
  if (!MORE_OWN.includes(row.variant)) return row;
  const owners = [row.table.scope.owner, "createdBy"].filter((name) => name !== null);
  const own = Object.fromEntries(owners.map((name) => [name, home.userId]));
  return { ...row, values: { ...row.values, ...own } };
}
