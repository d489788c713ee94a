/** Every command of the installed package, as somebody types it who stands in the folder of a project. */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { COMMANDS } from "../../cli/commands.ts";
import { type Person, run } from "./person.ts";

interface Typed {
  readonly words: readonly string[];
  /** Absent: 0. */
  readonly code?: number;
  /** True: words behind it follow the folder, so that none of both can be left out. */
  readonly needsFolder?: boolean;
  readonly after?: readonly string[];
}

const NOBODY = "http://127.0.0.1:1";

/** By name. `turn` tells files of one turn from those of another; `dev` is asked for by itself. */
function typed(turn: string): Readonly<Record<string, Typed>> {
  return {
    "new": { words: ["new", join("..", `made-${turn}`)] },
    logs: { words: ["logs"] },
    compile: { words: ["compile"], after: ["--out", join("..", `server-${turn}`)] },
    validate: { words: ["validate"] },
    check: { words: ["check"] },
    types: { words: ["types"] },
    "add table": { words: ["add", "table", `parts-${turn}`] },
    "add action": { words: ["add", "action", `notes/close-${turn}`] },
    "add webhook": { words: ["add", "webhook", `forge-${turn}`] },
    "add job": { words: ["add", "job", `tidy-${turn}`] },
    fmt: { words: ["fmt"] },
    routes: { words: ["routes"] },
    "import": { words: ["import", "sql", SQL_FILE] },
    adopt: { words: ["adopt"] },
    diff: { words: ["diff", "."], after: ["."] },
    conformance: { words: ["conformance", NOBODY, "--project", "."], code: 1 },
    leakcheck: { words: ["leakcheck"] },
    "audit-sql": { words: ["audit-sql"] },
    why: { words: ["why"], needsFolder: true, after: ["--as", "member", "GET", "/api/v1/notes"] },
    "users list": { words: ["users", "list"] },
    "users confirm": { words: ["users", "confirm", "nobody@example.com"], code: 1 },
    "users lock": { words: ["users", "lock", "nobody@example.com"], code: 1 },
    "users sysadmin": { words: ["users", "sysadmin", "nobody@example.com"], code: 1 },
    "db backup": { words: ["db", "backup"], after: ["--out", `${turn}.db`] },
    "db restore": { words: ["db", "restore"], after: ["--from", `${turn}.db`] },
    "db migrate": { words: ["db", "migrate"], code: 1 },
    tenant: { words: ["tenant", "list", DEV_OUTPUT], code: 1 },
    "db console": { words: ["db", "console"], after: ["--execute", "select 1"] },
    deploy: { words: ["deploy", "docker", DEV_OUTPUT], code: 1 },
    upgrade: { words: ["upgrade"] },
    login: { words: ["login", "--service", NOBODY], code: 3 },
    logout: { words: ["logout"] },
    completion: { words: ["completion", "bash"] },
    complete: { words: ["complete", "--", "check"] },
  };
}

const DEV_OUTPUT = join(".quickback", "dev");

const SQL_FILE = "older.sql";

/** Asks all of them, or those that a folder can be named to. `dev` has been there before. */
export async function everyCommand(
  person: Person,
  { turn, folder }: { readonly turn: string; readonly folder: "." | null },
): Promise<void> {
  await Deno.writeTextFile(
    join(person.work, SQL_FILE),
    `create table "old_${turn}" (id text primary key, title text not null);\n`,
  );
  const known = typed(turn);
  const names = COMMANDS.map(({ name }) => name).filter((name) => name !== "dev");
  assertEquals(Object.keys(known), names);
  const wrong = [];
  for (const { name, arguments: taken } of COMMANDS.filter(({ name }) => name !== "dev")) {
    const { words, code = 0, needsFolder = false, after = [] } = known[name] ?? { words: [] };
    const takesFolder = needsFolder || taken.includes("[folder]") && name !== "new";
    if (folder !== null && !takesFolder) continue;
    const named = takesFolder && (needsFolder || folder !== null) ? ["."] : [];
    const line = ["quickback", ...words, ...named, ...after];
    const answer = await run("npx", line, person);
    if (answer.code !== code) wrong.push({ line: line.join(" "), expected: code, ...answer });
  }
  // What import asks a person to decide; it overwrites no list.
  await Deno.remove(join(person.work, "DECIDE.md"));
  assertEquals(wrong, []);
}
