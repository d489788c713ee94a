/** Plans the change of a development database from its schema to the saved one. The history of releases plays no part. */
import { jsonFile, parsedJson } from "../../../lib/json.ts";
import type { ProjectModel } from "../../../model/mod.ts";
import { Report } from "../../diagnostics/report.ts";
import { EMPTY_JOURNAL, nextEntry } from "../../migrations/journal.ts";
import {
  DESTRUCTIVE_MARK,
  JOURNAL,
  planMigration,
  snapshotPath,
} from "../../migrations/plan_migration.ts";
import type { SchemaHints } from "../../migrations/schema_change.ts";
import * as snapshots from "../../migrations/snapshot.ts";
import { acceptedColumns } from "./migration_notices.ts";
import { CONFIG_START, hintsOf, placesOf, reportProblem } from "./plan_migrations.ts";
import { sqlTables } from "./sql_tables.ts";

export type Following =
  | {
    readonly kind: "planned";
    /** The SQL to run; null: the schema is the same. */
    readonly sql: string | null;
    /** Losses that the SQL causes. */
    readonly losses: readonly string[];
  }
  /** Rows cannot be converted without an instruction of the author. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/**
 * Returns the SQL from the schema of a snapshot, given as its text, to that of the model; a null snapshot: there is no table
 * yet. Rows that were never released may be lost. Throws if the text is not a snapshot.
 */
export function planFollowing(model: ProjectModel, reached: string | null): Following {
  const snapshot = reached === null ? null : snapshots.readSnapshot(parsedJson(reached));
  if (snapshot === null && reached !== null) {
    throw new Error("What a database has reached is no snapshot");
  }
  const tables = snapshot === null ? [] : snapshots.tablesOf(snapshot);
  const report = new Report();
  const places = placesOf(model, CONFIG_START);
  const first = snapshots.snapshotOf(
    tables,
    snapshots.FIRST_PREVIOUS_ID,
    snapshot?.internal?.rings ?? [],
  );
  const entries = [nextEntry(EMPTY_JOURNAL, "00000000")];
  const plan = planMigration({
    tables: sqlTables(model),
    hints: {
      ...openHints(model, tables),
      allowDestructive: true,
      accepted: acceptedColumns(model, CONFIG_START, report),
    },
    state: new Map([
      [JOURNAL, jsonFile({ ...EMPTY_JOURNAL, entries })],
      [snapshotPath(0), jsonFile(first)],
    ]),
  });
  switch (plan.kind) {
    case "planned": {
      const file = plan.files.find(({ path }) => path.endsWith(`/${plan.tag}.sql`));
      const sql = file?.content ?? null;
      return { kind: "planned", sql, losses: lossesIn(sql ?? "") };
    }
    case "refused":
      for (const problem of plan.problems) reportProblem(problem, report, places);
      return {
        kind: "refused",
        reasons: report.errors.map(({ message, hint }) => hint ? `${message}. ${hint}` : message),
      };
    case "unreadable":
      throw new Error(`What was just written cannot be read: ${plan.file}`);
  }
}

/** Returns the losses that the first lines of a migration name. */
function lossesIn(sql: string): readonly string[] {
  return sql.split("\n").filter((line) => line.startsWith(DESTRUCTIVE_MARK))
    .map((line) => line.slice(DESTRUCTIVE_MARK.length).trim());
}

/** Returns renames that this database has not made yet. Its other names come from a state between two saves. */
function openHints(
  model: ProjectModel,
  reached: ReturnType<typeof snapshots.tablesOf>,
): ReturnType<typeof hintsOf> {
  const hints = hintsOf(model);
  const columnsOf = new Map(
    reached.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  );
  const tables = new Map(
    [...hints.tables].filter(([from, to]) => columnsOf.has(from) && !columnsOf.has(to)),
  );
  const former = new Map([...tables].map(([from, to]) => [to, from]));
  const columns: SchemaHints["columns"] = new Map(
    [...hints.columns].map(([table, renames]) => {
      const known = columnsOf.get(former.get(table) ?? table) ?? [];
      const open = [...renames].filter(([from, to]) => known.includes(from) && !known.includes(to));
      return [table, new Map(open)];
    }),
  );
  return { ...hints, tables, columns };
}
