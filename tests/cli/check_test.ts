/** A new project opens green, in Deno, in Node's tools and in an editor, and each mistake is found at its line. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { AUTHOR_PACKAGES, pinOf } from "../../cli/types/package_modules.ts";
import { TypeChecker } from "../../cli/types/type_checker.ts";
import { freePort } from "../support/free_port.ts";
import { inFolder, type Run, runCli, runHere } from "./command_line.ts";
import { RunningCommand } from "./running_command.ts";

const TEMPLATES = ["empty", "field-service", "helpdesk", "saas"];

Deno.test("a new project of every template has no problem in deno check, in tsc and in an editor", () =>
  inFolder(async (folder) => {
    const registry = ts.createDocumentRegistry();
    for (const template of TEMPLATES) {
      const made = await runHere(["new", template, "shop"], { cwd: folder });
      assertEquals(made.code, 0, made.err);
      const project = join(folder, template);
      await Deno.rename(join(folder, "shop"), project);
      const deno = await command(Deno.execPath(), ["check", "quickback"], project);
      assertEquals([deno.code, deno.err.includes("ERROR")], [0, false], deno.err);
      await installPackages(project);
      assertEquals(editorProblems(project, registry), []);
    }
    const tsc = ["run", "-A", "npm:typescript@5.9.3/tsc", "--noEmit", "-p", "saas"];
    assertEquals(await command(Deno.execPath(), tsc, folder), { code: 0, out: "", err: "" });
  }, "checked-templates"));

Deno.test("check finds nothing in what new makes, and a mistake of the types at its line, in the form that is asked for", () =>
  inFolder(async (folder) => {
    await runHere(["new", "saas", "shop"], { cwd: folder });
    const shop = join(folder, "shop");
    const fine = await runHere(["check", "--json"], { cwd: shop });
    assertEquals([fine.code, errorsOf(fine)], [0, []], fine.err);
    await edit(shop, PAY, "amount, currency } =", "amuont, currency } =");
    const told = await runCli(["check", "shop"], { cwd: folder });
    assertEquals(told.code, 1);
    assertStringIncludes(told.err, `${PAY}:15:25`);
    assertStringIncludes(told.err, "error[TS2339] Property 'amuont' does not exist on type");
    assertStringIncludes(told.err, "2 errors, ");
    const [found] = errorsOf(await runHere(["check", "--json"], { cwd: shop }));
    assertEquals([found?.file, found?.line, found?.code], [PAY, 15, "TS2339"]);
  }));

interface Told {
  readonly severity: string;
  readonly code: string;
  readonly file: string;
  readonly line: number;
}

function errorsOf({ out }: Run): readonly Told[] {
  const { diagnostics }: { readonly diagnostics: readonly Told[] } = JSON.parse(out);
  return diagnostics.filter(({ severity }) => severity === "error");
}

const PAY = "quickback/features/invoices/actions/pay.ts";
const TASKS = "quickback/features/tasks/tasks.ts";
const COUNT = "quickback/features/tasks/actions/count.ts";

const ACTION = `import { defineAction, type ActionExecutor } from "quickback";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { tasks } from "../schema";

export default defineAction({
  description: "Count the tasks of a project",
  path: "./counted",
  input: z.object({ projectId: z.string() }),
  access: { roles: ["viewer+"] },
  execute: async ({ db, input, ctx }) => {
    const rows = await db.select().from(tasks)
      .where(and(eq(tasks.projectId, input.projectId), eq(tasks.status, "done")));
    const first = await db.query.tasks.findFirst({ with: { project: true } });
    return { count: rows.length, title: first?.project?.name, isOwner: ctx.roles.includes("owner") };
  },
});

export const execute: ActionExecutor<"invoices.pay"> = ({ record }) => record.amount;
`;

const TALLY = "quickback/jobs/tally-up.ts";
const WEEKLY = "quickback/schedules/weekly.ts";
const QUEUE = "quickback/features/tasks/actions/queue.ts";

/** Jobs, and everybody who queues one. */
const JOBS = {
  [TALLY]: `import { defineJob, z } from "quickback";

export default defineJob({
  input: z.object({ taskId: z.string(), weight: z.number().default(1) }),
  async run({ input, jobs, step }) {
    const kept = await step("weigh", async () => ({ total: input.weight * 2 }));
    if (kept.total > 2) await jobs.tallyUp.enqueue({ taskId: input.taskId });
  },
});
`,
  [WEEKLY]: `import { defineSchedule } from "quickback";

export default defineSchedule({
  cron: "0 6 * * MON",
  job: "tallyUp",
  input: { taskId: "all" },
});
`,
  [QUEUE]: `import { defineAction, z } from "quickback";

export default defineAction({
  description: "Count a task, soon",
  input: z.object({ weight: z.number() }),
  access: { roles: ["viewer+"] },
  execute: async ({ jobs, input, record }) => {
    const { weight } = input;
    const id: string = await jobs.tallyUp.enqueue({ taskId: record.id, weight }, { delay: 60 });
    await jobs.tallyUp.enqueue({ taskId: record.id }, { key: record.id });
    return { id };
  },
});
`,
};

/** File, text, what stands there by mistake → line, and a part of the message. */
const MISTAKES: readonly (readonly [string, string, string, number, string])[] = [
  [COUNT, "eq(tasks.status", "eq(tasks.state", 13, "Property 'state' does not exist"],
  [COUNT, "({ db, input,", "({ db, inputs: input,", 11, "Property 'inputs' does not exist"],
  [COUNT, "db.query.tasks", "db.query.task", 14, "Did you mean 'tasks'"],
  [COUNT, 'includes("owner")', 'includes("ownr")', 15, `"ownr"' is not assignable`],
  [COUNT, '"viewer+"', '"viewr+"', 10, `"viewr+"' is not assignable`],
  [COUNT, "=> record.amount", "=> record.amuont", 19, "Property 'amuont' does not exist"],
  [COUNT, '"invoices.pay"', '"invoices.pey"', 19, `"invoices.pey"' does not satisfy`],
  [PAY, "const { id, number", "const { id, nummer", 15, "Property 'nummer' does not exist"],
  [PAY, "{ record, ctx, env }", "{ record, ctx, envs }", 14, "Property 'envs' does not exist"],
  [PAY, 'field: "status"', 'field: "state"', 9, `"state"' is not assignable`],
  [TASKS, '["member+"] } },\n  delete', '["membr+"] } },\n  delete', 63, `"membr+"' is not`],
  [TASKS, '"start", "complete"', '"strat", "complete"', 37, `"strat"' is not assignable`],
  [TASKS, '[\n      "projectId"', '[\n      "projctId"', 25, `"projctId"' is not`],
  [QUEUE, "record.id, weight }", "1, weight }", 9, "'number' is not assignable"],
  [QUEUE, "record.id, weight }", "record.id, wieght: 1 }", 9, "'wieght' does not exist"],
  [QUEUE, "string = await jobs.tallyUp", "string = await jobs.tally", 9, "Did you mean 'tallyUp'"],
  [QUEUE, "{ taskId: record.id },", "{},", 10, "parameter of type '{ taskId: string; weight"],
  [QUEUE, "{ key: record.id }", "{ keys: record.id }", 10, "Did you mean to write 'key'"],
  // An action's jobs are of its own organization.
  [QUEUE, "{ key: record.id }", '{ organizationId: "o" }', 10, "'organizationId' does not exist"],
  [TALLY, "input.weight * 2", "input.wieght * 2", 6, "Did you mean 'weight'"],
  [TALLY, "kept.total >", "kept.totel >", 7, "Did you mean 'total'"],
  [TALLY, "enqueue({ taskId", "enqueue({ task", 7, "'task' does not exist"],
  [WEEKLY, '"tallyUp"', '"tally"', 5, `"tally"' is not assignable`],
];

Deno.test("each mistake that types can know is found at the author's line", () =>
  inFolder(async (folder) => {
    await runHere(["new", "saas", "shop"], { cwd: folder });
    const project = join(folder, "shop");
    for (const [file, text] of Object.entries({ [COUNT]: ACTION, ...JOBS })) {
      await Deno.mkdir(dirname(join(project, file)), { recursive: true });
      await Deno.writeTextFile(join(project, file), text);
    }
    const typed = await runCli(["types"], { cwd: project });
    assertEquals(typed.code, 0, typed.err);
    const checker = new TypeChecker();
    assertEquals(checker.check({ project, dependencies: [] }), []);
    for (const round of rounds()) {
      for (const [file, right, wrong] of round) await edit(project, file, right, wrong);
      const found = checker.check({ project, dependencies: [] });
      for (const [file, , , line, message] of round) {
        const told = found.filter(({ place }) => place.file === file && place.line === line);
        assertStringIncludes(told.map((one) => one.message).join("\n"), message);
      }
      for (const [file, right, wrong] of round) await edit(project, file, wrong, right);
    }
  }));

/** At most one mistake in each line at a time: one may hide another. */
function rounds(): readonly (typeof MISTAKES)[] {
  const byLine = [...Map.groupBy(MISTAKES, ([file, , , line]) => `${file}:${line}`).values()];
  const most = Math.max(...byLine.map((own) => own.length));
  return Array.from({ length: most }, (_, at) => byLine.flatMap((own) => own.slice(at, at + 1)));
}

Deno.test("dev prints a mistake of the types and its line while the API is served", () =>
  inFolder(async (folder) => {
    await runHere(["new", "saas", "shop"], { cwd: folder });
    const port = freePort();
    await using dev = RunningCommand.dev(
      ["shop", "--port", String(port), "--no-playground"],
      folder,
    );
    await dev.says("Watching");
    await edit(join(folder, "shop"), PAY, "amount, currency } =", "amuont, currency } =");
    await dev.says(`${PAY}:15:25`);
    await dev.says("Property 'amuont' does not exist");
    const health = await fetch(`http://localhost:${port}/health`);
    assertEquals((await health.json()).status, "ok");
    assertEquals(await dev.end("SIGTERM"), 0);
  }));

async function edit(project: string, file: string, from: string, to: string): Promise<void> {
  const path = join(project, file);
  const text = await Deno.readTextFile(path);
  assertEquals(text.split(from).length, 2, `${file} has ${from} once`);
  await Deno.writeTextFile(path, text.replace(from, () => to));
}

async function command(program: string, args: readonly string[], cwd: string) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** As a package manager leaves them in the project. */
async function installPackages(project: string): Promise<void> {
  await Deno.mkdir(join(project, "node_modules"));
  for (const name of AUTHOR_PACKAGES) {
    let source = dirname(fileURLToPath(import.meta.resolve(pinOf(name))));
    while (!source.endsWith(pinOf(name).slice(`npm:${name}@`.length))) source = dirname(source);
    await Deno.symlink(source, join(project, "node_modules", name));
  }
}

/** Everything that an editor underlines, hints at better ways included. */
function editorProblems(project: string, registry: ts.DocumentRegistry): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(join(project, "tsconfig.json"), {}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(String(messageText));
    },
  });
  if (!config) throw new Error("The project has no tsconfig.json");
  const service = ts.createLanguageService({
    getCompilationSettings: () => config.options,
    getScriptFileNames: () => config.fileNames,
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => Deno.realPathSync(path),
  }, registry);
  const found = [
    ...config.errors,
    ...service.getCompilerOptionsDiagnostics(),
    ...config.fileNames.flatMap((file) => [
      ...service.getSyntacticDiagnostics(file),
      ...service.getSemanticDiagnostics(file),
      ...service.getSuggestionDiagnostics(file),
    ]),
  ];
  return found.map(({ file, messageText }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`
  );
}
