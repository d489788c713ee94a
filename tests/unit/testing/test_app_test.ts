/** `createTestApp`: an API of a really compiled output, asked without a server. */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { compile, type RawFiles, VERSION } from "../../../shared/compiler/mod.ts";
import { readCompileHost } from "../../../container/host.ts";
import { createTestApp } from "../../../library/testing/mod.ts";
import { jobDesk } from "../../support/job_desk.ts";
import { writeStarter } from "../../support/starter_output.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const OWNER = { userId: "ada", organizationId: "org_1", roles: ["owner", "admin", "member"] };
const STRANGER = { ...OWNER, userId: "eve", organizationId: "org_2" };

async function write(folder: string, files: RawFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

async function writeOutput(folder: string, files: RawFiles) {
  const result = compile(files, readCompileHost({ version: VERSION }));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  await write(folder, Object.fromEntries(result.files.map(({ path, content }) => [path, content])));
}

async function bodyOf(answer: Promise<Response>) {
  const response = await answer;
  return { status: response.status, body: await response.json() };
}

Deno.test("every app of an output has a database, ids and a time of its own", () =>
  withTempFolder(async (folder) => {
    await writeStarter("empty", folder);
    const model = pathToFileURL(join(folder, "src/project.ts")).href;
    await using one = await createTestApp(folder);
    await using other = await createTestApp(model, { now: new Date("2026-05-01T00:00:00Z") });
    one.advance(60);
    const made = await bodyOf(one.as(OWNER).post("/api/v1/notes", { title: "One" }));
    assertEquals(made.status, 201);
    assertEquals(made.body.createdAt, "2026-01-01T00:01:00.000Z");
    assertEquals(made.body.createdBy, OWNER.userId);
    const late = await bodyOf(other.as(OWNER).post("/api/v1/notes", { title: "Two" }));
    assertEquals(late.body.createdAt, "2026-05-01T00:00:00.000Z");
    assertEquals(late.body.id, made.body.id);
    const { body } = await bodyOf(other.as(OWNER).get("/api/v1/notes"));
    assertEquals(body.data.map(({ title }: { readonly title: string }) => title), ["Two"]);
  }));

Deno.test("requests pass the layers: nobody, strangers and bad bodies are refused", () =>
  withTempFolder(async (folder) => {
    await writeStarter("empty", folder);
    await using app = await createTestApp(folder);
    const owner = app.as(OWNER);
    const { body: { id } } = await bodyOf(owner.post("/api/v1/notes", { title: "One" }));
    const path = `/api/v1/notes/${id}`;
    const codes = [
      await bodyOf(app.get(path)),
      await bodyOf(app.as(STRANGER).get(path)),
      await bodyOf(app.as({ ...OWNER, roles: [] }).delete(path)),
      await bodyOf(owner.post("/api/v1/notes", {})),
      await bodyOf(owner.fetch(path, { method: "PUT", body: "{}" })),
      await bodyOf(app.fetch(path, { headers: { "x-api-key": "quickback-testing-9" } })),
    ].map(({ status, body }) => [status, body.layer]);
    assertEquals(codes, [
      [401, "authentication"],
      [403, "firewall"],
      [403, "access"],
      [400, "validation"],
      [405, "validation"],
      [401, "authentication"],
    ]);
    assertEquals((await bodyOf(owner.patch(path, { title: "Two" }))).body.title, "Two");
    await assertRejects(() => owner.get("api/v1/notes"), Error, 'begins with "/"');
  }));

Deno.test("jobs run when the test says so, by the test's clock", () =>
  withTempFolder(async (folder) => {
    await writeOutput(folder, jobDesk());
    await using app = await createTestApp(folder);
    const owner = app.as(OWNER);
    const { body: { id } } = await bodyOf(owner.post("/api/v1/orders", { title: "Tea" }));
    const shipped = await bodyOf(owner.post(`/api/v1/orders/${id}/ship`, { delay: 60 }));
    assertEquals(shipped.status, 200);
    const mails = async () => (await bodyOf(owner.get(`/api/v1/orders/${id}`))).body.mails;
    await app.runJobs();
    assertEquals(await mails(), 0);
    app.advance(61);
    await app.runJobs();
    assertEquals(await mails(), 1);
  }));

const PULSES = {
  "quickback/features/orders/actions/pulses.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { pulses } from "../../pulses/pulses";

export default defineAction({
  description: "Counts what schedules did",
  path: "./pulses",
  input: z.object({}),
  access: { roles: ["member"] },
  async execute({ db }) {
    return { count: (await db.select().from(pulses)).length };
  },
});
`,
  ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [
    `quickback/schedules/often-${at}.ts`,
    `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: "* * * * *", job: "pulse", input: { text: "${at}" } });
`,
  ])),
};

Deno.test("all that is due has run, however much there is of one kind", () =>
  withTempFolder(async (folder) => {
    await writeOutput(folder, jobDesk(PULSES));
    await using app = await createTestApp(folder);
    const owner = app.as(OWNER);
    await app.runJobs();
    app.advance(60);
    await app.runJobs();
    const { status, body } = await bodyOf(owner.post("/api/v1/orders/pulses", {}));
    assertEquals([status, body.count], [200, 60]);
    const callers = [owner, app.as(STRANGER)];
    for (const caller of callers) {
      for (let count = 0; count < 9; count += 1) {
        const { body: { id } } = await bodyOf(caller.post("/api/v1/orders", { title: "Tea" }));
        await bodyOf(caller.post(`/api/v1/orders/${id}/ship`, {}));
      }
    }
    await app.runJobs();
    for (const caller of callers) {
      const { body: { data } } = await bodyOf(caller.get("/api/v1/orders?limit=100"));
      assertEquals(data.map(({ mails }: { mails: number }) => mails), Array(9).fill(1));
    }
  }));

Deno.test("webhooks stay in the outbox", () =>
  withTempFolder(async (folder) => {
    await writeStarter("saas", folder);
    await using app = await createTestApp(folder);
    const owner = app.as(OWNER);
    const url = "https://hooks.example.com/in";
    const endpoint = await bodyOf(
      owner.post("/webhooks/v1/endpoints", { name: "Ours", url, events: ["invoice.*"] }),
    );
    assertEquals(endpoint.status, 201);
    const tested = await bodyOf(owner.post(`/webhooks/v1/endpoints/${endpoint.body.id}/test`));
    assertEquals(tested.status, 200);
    assertEquals(app.outbox(), []);
    await app.runJobs();
    assertEquals(app.outbox().map((sent) => sent.url), [url]);
    assertEquals(typeof app.outbox()[0]?.headers["webhook-signature"], "string");
  }));

Deno.test("a place without an output is refused, and may become one", () =>
  withTempFolder(async (folder) => {
    const error = await assertRejects(() => createTestApp(folder), Error);
    assertStringIncludes(error.message, "neither an output nor a folder of definitions");
    await assertRejects(() => createTestApp(join(folder, "none")), Error, "neither an output");
    await writeStarter("empty", folder);
    await (await createTestApp(folder)).close();
  }));

Deno.test("an output of another version is refused with both versions", () =>
  withTempFolder(async (folder) => {
    await writeStarter("empty", folder);
    const file = join(folder, "deno.json");
    const config = await Deno.readTextFile(file);
    await Deno.writeTextFile(
      file,
      config.replace(`"compiler": "${VERSION}"`, `"compiler": "0.0.7"`),
    );
    const error = await assertRejects(() => createTestApp(folder), Error);
    assertStringIncludes(error.message, `was made by version 0.0.7, and this is quickback/testing`);
    await Deno.writeTextFile(file, "{}");
    await assertRejects(() => createTestApp(folder), Error, "an unknown version");
  }));

Deno.test("definitions that do not compile are refused with what the compile says", () =>
  withTempFolder(async (folder) => {
    await write(folder, {
      "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "desk", nothing: true });
`,
    });
    const error = await assertRejects(() => createTestApp(folder), Error);
    assertStringIncludes(error.message, "does not compile");
    assertStringIncludes(error.message, "nothing");
  }));
