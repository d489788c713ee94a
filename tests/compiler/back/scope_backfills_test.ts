/** A table that gains its scope gives the rows that exist to their organization, or asks whose they are (definitions 2). */
import { assert, assertEquals } from "@std/assert";
import Database from "libsql";
import { compile, type RawFiles } from "../../../shared/compiler/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const DRIZZLE = "quickback/drizzle/features/";
const CONFIG = "quickback/quickback.config.ts";

const config = (backfills = "{}") =>
  `export default { name: "board", compiler: { migrations: { backfills: ${backfills} } } };\n`;

/** An internal table: everybody's before, its feature's afterwards. */
const internal = (name: string, columns: string, isException: boolean) =>
  `import { q } from "quickback";
import tasks from "./tasks";
import rounds from "./rounds";
export const ${name} = q.table("${name}", { ${columns} }${
    isException ? ", { exception: true }" : ""
  });
export default ${name};
`;

const TASKS = `import { feature, q } from "quickback";
export default feature("tasks", { columns: { organizationId: q.scope("organization"), title: q.text() } });
`;

const TASK = "taskId: q.text().required().references(() => tasks.id)";
const MAYBE_TASK = "taskId: q.text().references(() => tasks.id)";
const ROUND = "roundId: q.text().required().references(() => rounds.id)";
const POINTS = "points: q.int().unique()";

interface Board {
  /** Columns of the tables that gain a scope. */
  readonly scores: string;
  readonly rounds: string;
}

function files({ scores, rounds }: Board, isException: boolean, backfills?: string): RawFiles {
  return {
    [CONFIG]: config(backfills),
    "quickback/features/tasks/tasks.ts": TASKS,
    "quickback/features/tasks/scores.ts": internal("scores", scores, isException),
    "quickback/features/tasks/rounds.ts": internal("rounds", rounds, isException)
      .replace('import rounds from "./rounds";\n', ""),
  };
}

function compiled(project: RawFiles) {
  const result = compile(project, BARE_HOST);
  assert(result.ok, result.ok ? "" : JSON.stringify(toldOf(result.errors)));
  return new Map(result.files.map(({ path, content }) => [path, content]));
}

const state = (output: ReadonlyMap<string, string>): RawFiles =>
  Object.fromEntries([...output].filter(([path]) => path.startsWith(`${DRIZZLE}meta/`)));

function migrate(database: Database.Database, output: ReadonlyMap<string, string>): string {
  const [sql = ""] = [...output].filter(([path]) =>
    path.startsWith(DRIZZLE) && path.endsWith(".sql")
  ).map(([, content]) => content);
  database.exec("PRAGMA foreign_keys = OFF");
  for (const statement of sql.split("--> statement-breakpoint")) database.exec(statement);
  assertEquals(database.prepare("PRAGMA foreign_key_check").all(), []);
  return sql;
}

const NOW = "'2026-01-01T00:00:00.000Z'";
const TASK_ROWS =
  `INSERT INTO tasks (id, organization_id, created_at) VALUES ('t_a', 'org_a', ${NOW}), ('t_b', 'org_b', ${NOW})`;

/** Rows of both tables afterwards, and the migration's text. */
function gained(board: Board, rows: readonly string[], backfills?: string) {
  const before = compiled(files(board, true));
  const database = new Database(":memory:");
  migrate(database, before);
  for (const row of [TASK_ROWS, ...rows]) database.exec(row);
  const sql = migrate(
    database,
    compiled({ ...files(board, false, backfills), ...state(before) }),
  );
  const owners = (table: string) =>
    database.prepare(`SELECT id, organization_id FROM ${table} ORDER BY id`).raw().all();
  return { scores: owners("scores"), rounds: owners("rounds"), sql };
}

function refused(board: Board, backfills?: string): readonly string[] {
  const before = compiled(files(board, true));
  const result = compile({ ...files(board, false, backfills), ...state(before) }, BARE_HOST);
  return result.ok ? [] : toldOf(result.errors);
}

const ROUNDS_OF_TASKS: Board = { scores: POINTS, rounds: TASK };

Deno.test("rows that exist become those of the one parent that they must have", () => {
  const { scores, sql } = gained({ scores: `${TASK}, ${POINTS}`, rounds: TASK }, [
    `INSERT INTO scores (id, task_id, points, created_at) VALUES ('s_a', 't_a', 1, ${NOW}), ('s_b', 't_b', 2, ${NOW})`,
  ]);
  assertEquals(scores, [["s_a", "org_a"], ["s_b", "org_b"]]);
  assert(!sql.includes("-- destructive:"));
  assert(sql.includes("UNIQUE INDEX `scores_organization_id_points_unique`"), sql);
});

Deno.test("a parent that gains its scope in the same migration gets it first", () => {
  const board = {
    scores: TASK,
    rounds: "scoreId: q.text().required().references(() => scores.id)",
  };
  const project = (isException: boolean) => ({
    ...files(board, isException),
    "quickback/features/tasks/rounds.ts": internal("rounds", board.rounds, isException)
      .replace('import rounds from "./rounds"', 'import scores from "./scores"'),
    "quickback/features/tasks/scores.ts": internal("scores", board.scores, isException)
      .replace('import rounds from "./rounds";\n', ""),
  });
  const before = compiled(project(true));
  const database = new Database(":memory:");
  migrate(database, before);
  database.exec(TASK_ROWS);
  database.exec(
    `INSERT INTO scores (id, task_id, created_at) VALUES ('s_b', 't_b', ${NOW})`,
  );
  database.exec(
    `INSERT INTO rounds (id, score_id, created_at) VALUES ('r_b', 's_b', ${NOW})`,
  );
  migrate(database, compiled({ ...project(false), ...state(before) }));
  assertEquals(database.prepare("SELECT id, organization_id FROM rounds").raw().all(), [
    ["r_b", "org_b"],
  ]);
});

const ASKED = (keys: string, key: string) =>
  `MIGRATION_NEEDS_BACKFILL 4:23 Table "scores" gains the scope column "organizationId" and rows that exist have no value for it | ` +
  `Say compiler.migrations.backfills: { "scores.organizationId": "${key}" }: ${keys}, or "delete" to remove those rows`;
const KEY = (names: string) => `a foreign key to take it from (${names}), a value for all of them`;

const REFUSED: readonly (readonly [string, Board, string[], string?])[] = [
  ["no foreign key", ROUNDS_OF_TASKS, [ASKED("a value for all of them", "<organization id>")]],
  ["a foreign key that may be empty", { scores: MAYBE_TASK, rounds: TASK }, [
    ASKED(KEY("taskId"), "taskId"),
  ]],
  ["two foreign keys", { scores: `${TASK}, ${ROUND}`, rounds: TASK }, [
    ASKED(KEY("taskId, roundId"), "taskId"),
  ]],
  ["a word that is nearly a column", { scores: MAYBE_TASK, rounds: TASK }, [
    ASKED(KEY("taskId"), "taskId").replace(
      "for it |",
      'for it: "taskid" cannot fill it |',
    ),
  ], '{ "scores.organizationId": "taskid" }'],
  ["a column that is no foreign key", { scores: `${MAYBE_TASK}, ${POINTS}`, rounds: TASK }, [
    ASKED(KEY("taskId"), "taskId").replace(
      "for it |",
      'for it: "points" cannot fill it |',
    ),
  ], '{ "scores.organizationId": "points" }'],
];

for (const [title, board, told, backfills] of REFUSED) {
  Deno.test(`whose rows are those that exist? Asked for ${title}`, () => {
    assertEquals(refused(board, backfills), told);
  });
}

Deno.test("the author's word decides: a foreign key, a value, or that the rows go", () => {
  const rows = [
    `INSERT INTO scores (id, task_id, created_at) VALUES ('s_a', 't_a', ${NOW}), ('s_b', 't_b', ${NOW})`,
  ];
  const board = { scores: MAYBE_TASK, rounds: TASK };
  const through = gained(board, rows, '{ "scores.organizationId": "taskId" }');
  assertEquals(through.scores, [["s_a", "org_a"], ["s_b", "org_b"]]);
  const literal = gained(board, rows, `{ "scores.organization_id": "it's" }`);
  assertEquals(literal.scores, [["s_a", "it's"], ["s_b", "it's"]]);
  const gone = gained(board, rows, '{ "scores.organizationId": "delete" }');
  assertEquals(gone.scores, []);
  assert(gone.sql.startsWith('-- destructive: the rows of "scores" are gone\n'), gone.sql);
});

Deno.test("a row whose parent cannot be told fails the migration, and is not given to anybody", () => {
  const board = { scores: MAYBE_TASK, rounds: TASK };
  const rows = [`INSERT INTO scores (id, created_at) VALUES ('s_0', ${NOW})`];
  let failure = "";
  try {
    gained(board, rows, '{ "scores.organizationId": "taskId" }');
  } catch (error) {
    failure = String(error);
  }
  assert(failure.includes("NOT NULL constraint failed"), failure);
});

Deno.test("two tables that would have their scope from each other are asked for both", () => {
  const project = (isException: boolean): RawFiles => ({
    ...files({ scores: ROUND, rounds: "" }, isException),
    "quickback/features/tasks/rounds.ts": internal(
      "rounds",
      "scoreId: q.text().required().references(() => scores.id)",
      isException,
    ).replace('import rounds from "./rounds"', 'import scores from "./scores"'),
  });
  const before = compiled(project(true));
  const result = compile({ ...project(false), ...state(before) }, BARE_HOST);
  assertEquals(result.ok ? [] : result.errors.map(({ code, message }) => `${code} ${message}`), [
    'MIGRATION_NEEDS_BACKFILL Table "rounds" gains the scope column "organizationId" and rows that exist have no value for it',
    'MIGRATION_NEEDS_BACKFILL Table "scores" gains the scope column "organizationId" and rows that exist have no value for it',
  ]);
});

Deno.test("a resource that gains an organization asks the same, and one that gains an owner always", () => {
  const notes = (columns: string) => ({
    [CONFIG]: config(),
    "quickback/features/tasks/tasks.ts": TASKS,
    "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
import tasks from "../tasks/tasks";
export default feature("notes", { columns: { ${columns}, ${TASK} } });
`,
  });
  const before = compiled(notes('teamId: q.scope("team")'));
  const told = (columns: string) => {
    const result = compile({ ...notes(columns), ...state(before) }, BARE_HOST);
    return result.ok ? [] : result.errors.map(({ code }) => code);
  };
  assertEquals(told('teamId: q.scope("team"), organizationId: q.scope("organization")'), []);
  assertEquals(told('teamId: q.scope("team"), ownerId: q.scope("owner")'), [
    "MIGRATION_NEEDS_BACKFILL",
  ]);
});
