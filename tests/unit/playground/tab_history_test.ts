/** The API of a tab over many saves: one migration beyond the releases, rows that stay, data steps by the next release. */
import { assertEquals, assertRejects } from "@std/assert";
import ts from "typescript";
import { TabApi } from "../../../cli/alone/tab_api.ts";
import { historyIn } from "../../../playground/browser/alone/tab_history.ts";
import { compile, planFollowing, type RawFiles } from "../../../shared/compiler/mod.ts";
import { FEATURES, people, STEPS } from "../../support/data_step_project.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const MODULES = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext };

/** One page: its API, which is started anew with each save. */
class Page {
  readonly api = new TabApi();

  /** As `TabDev` has it; returns the tags of the history, without their hashes. */
  async save(files: RawFiles): Promise<readonly string[]> {
    const result = compile(files, BARE_HOST, { beginsEmpty: true });
    if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join("\n"));
    const { model } = result;
    const written = Object.fromEntries(result.files.map(({ path, content }) => [path, content]));
    const own = Object.entries(written).filter(([path]) =>
      /^src\/(?!quickback\/).*\.ts$/.test(path)
    );
    const config: { readonly imports?: Record<string, string> } = JSON.parse(
      written["deno.json"] ?? "{}",
    );
    const texts = own.map(([path, text]) => [
      path,
      ts.transpileModule(text, { compilerOptions: MODULES }).outputText,
    ]);
    const history = historyIn({ ...files, ...written });
    const authored = { texts: Object.fromEntries(texts), imports: config.imports ?? {} };
    const output = { model, openapi: null, asyncapi: null, ...history, authored };
    await this.api.start(
      output,
      () => {},
      (reached) => Promise.resolve(planFollowing(model, reached)),
    );
    return history.migrations.map(({ tag, step }) => step ? tag : tag.slice(0, 4));
  }

  async ask(
    method: "GET" | "POST",
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    const headers: [string, string][] = body ? [["content-type", "application/json"]] : [];
    const answer = await this.api.ask({
      as: "demo",
      method,
      path: `/api/v1/${path}`,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.status, ...JSON.parse(answer.body) };
  }
}

function withPage(body: (page: Page) => Promise<void>): Promise<void> {
  const page = new Page();
  return body(page).finally(() => page.api.empty());
}

/** Everybody may do everything. */
const OPEN =
  `read: { access: { roles: ["AUTHENTICATED"] } }, create: { access: { roles: ["AUTHENTICATED"] } },`;

const project = (columns: string, files: RawFiles = {}): RawFiles =>
  Object.fromEntries(
    Object.entries(people(columns, files)).map(([path, text]) => [
      path,
      path.endsWith("people.ts")
        ? text.replace(
          "guards: { createable: [] }",
          `${OPEN} guards: { createable: ["first", "last"] }`,
        )
        : text,
    ]),
  );

const COLUMNS = "first: q.text(), last: q.text()";

Deno.test("any number of saves is one migration, and rows stay", () =>
  withPage(async (page) => {
    assertEquals(await page.save(project(COLUMNS)), ["0000"]);
    const { id } = await page.ask("POST", "people", { first: "Ada", last: "Byron" });
    for (const columns of [`${COLUMNS}, age: q.int()`, `${COLUMNS}, size: q.int()`, COLUMNS]) {
      assertEquals(await page.save(project(columns)), ["0000"]);
    }
    const { first, last } = await page.ask("GET", `people/${id}`);
    assertEquals([first, last], ["Ada", "Byron"]);
  }));

Deno.test("a save that rows cannot follow leaves the last API, and the next one goes on", () =>
  withPage(async (page) => {
    await page.save(project(COLUMNS));
    const { id } = await page.ask("POST", "people", { first: "Ada" });
    const refused = page.save(project(`first: q.text(), last: q.text().required()`));
    await assertRejects(() => refused);
    assertEquals((await page.ask("GET", `people/${id}`))["first"], "Ada");
    assertEquals(await page.save(project(`${COLUMNS}, age: q.int()`)), ["0000"]);
    assertEquals((await page.ask("GET", `people/${id}`))["age"], null);
  }));

Deno.test("a data step has the number of the next release, and runs once", () =>
  withPage(async (page) => {
    await page.save(project(COLUMNS));
    const { id } = await page.ask("POST", "people", { first: "Ada" });
    await page.save(project(`${COLUMNS}, age: q.int()`));
    const step = {
      [`${STEPS}0000_fill.sql`]: "UPDATE people SET last = coalesce(last, '') || 'x';\n",
    };
    for (const columns of [COLUMNS, `${COLUMNS}, size: q.int()`]) {
      assertEquals((await page.save(project(columns, step)))[0], "0000");
    }
    assertEquals((await page.ask("GET", `people/${id}`))["last"], "x");
  }));

Deno.test("a project with releases begins at its newest schema, without their SQL", () =>
  withPage(async (page) => {
    const released = compile(project(COLUMNS), BARE_HOST);
    if (!released.ok) throw new Error("The release does not compile");
    const meta = Object.fromEntries(
      released.files.filter(({ path }) => path.startsWith(`${FEATURES}meta/`))
        .map(({ path, content }) => [path, content]),
    );
    assertEquals(await page.save(project(COLUMNS, meta)), ["0000"]);
    const { id } = await page.ask("POST", "people", { first: "Ada", last: "Byron" });
    assertEquals(await page.save(project(`${COLUMNS}, age: q.int()`, meta)), ["0000", "0001"]);
    assertEquals((await page.ask("GET", `people/${id}`))["last"], "Byron");
  }));
