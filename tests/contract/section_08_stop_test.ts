/** Definitions 6 and 7: a process ends after it is told to, whatever authors left running, and works off short jobs at once. */
import { assert, assertEquals } from "@std/assert";
import { readBuiltHost } from "../../container/built_runtime.ts";
import { compile } from "../../shared/compiler/mod.ts";
import { tokenFor } from "../support/api.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { AUTH_SECRET, BASE_URL } from "../support/api.ts";

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text() },
  read: { access: { roles: ["member"] } },
});
`,
  "quickback/features/notes/actions/begin.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Begins",
  path: "./begin",
  input: z.object({ what: z.string(), count: z.number().default(1) }),
  access: { roles: ["member"] },
  async execute({ jobs, input: { what, count } }) {
    if (what === "timer") setInterval(() => {}, 1000);
    else for (let at = 0; at < count; at++) await jobs.work.enqueue({ what });
    return { count };
  },
});
`,
  "quickback/jobs/work.ts": `import { defineJob } from "quickback";
import { z } from "zod";
export default defineJob({
  input: z.object({ what: z.string() }),
  async run({ input: { what }, db }) {
    if (what === "wait") await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
});
`,
};

async function withServed(
  body: (
    api: ServiceProcess,
    begin: (input: object) => Promise<void>,
    folder: string,
  ) => Promise<void>,
): Promise<void> {
  const result = compile(FILES, await readBuiltHost());
  assert(result.ok, JSON.stringify(result));
  await withTempFolder(async (folder) => {
    for (const { path, content } of result.files) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, content);
    }
    const permissions = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"];
    await using api = new ServiceProcess(
      ["deno", "run", "--no-prompt", ...permissions, "--allow-ffi", "--allow-sys", "src/main.ts"],
      {
        HOST: "127.0.0.1",
        BASE_URL,
        DATABASE_URL: `file:${folder}/app.db`,
        AUTH_SECRET: new TextDecoder().decode(AUTH_SECRET),
      },
      folder,
    );
    const origin = await api.address;
    const claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
    const token = await tokenFor(claims, Date.now());
    const begin = async (input: object) => {
      const answer = await fetch(`${origin}/api/v1/notes/begin`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      assertEquals(answer.status, 200, await answer.text());
    };
    await body(api, begin, folder);
  });
}

Deno.test("a timer that a handler left does not keep a stopped process", () =>
  withServed(async (api, begin) => {
    await begin({ what: "timer" });
    const since = performance.now();
    assertEquals(await api.end("SIGTERM"), 0);
    assert(performance.now() - since < 10_000, `${performance.now() - since} ms`);
  }));

Deno.test("jobs that wait keep a stopped process for 15 s at most", () =>
  withServed(async (api, begin) => {
    await begin({ what: "wait", count: 3 });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const since = performance.now();
    assertEquals(await api.end("SIGTERM"), 0);
    assert(performance.now() - since < 17_000, `${performance.now() - since} ms`);
  }));

Deno.test("one process works off many short jobs of one organization at once", () =>
  withServed(async (api, begin, folder) => {
    await begin({ what: "short", count: 300 });
    const since = performance.now();
    const { openDatabase } = await import("../../library/platform/mod.ts");
    const database = await openDatabase({ url: `file:${folder}/app.db` });
    try {
      const sql = "SELECT count(*) FROM quickback_job_runs WHERE status <> 'done'";
      for (;;) {
        const [[left] = []] = (await database.run({ sql, args: [] })).rows;
        if (left === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
        assert(performance.now() - since < 30_000, `${left} jobs are left`);
      }
    } finally {
      await database.close();
    }
    const rate = 300 / ((performance.now() - since) / 1000);
    // 8 a second when a look is due each 250 ms; 50 and more on a machine that is not busy otherwise.
    assert(rate > 20, `${rate} jobs a second`);
    console.log(`${rate.toFixed(0)} jobs a second`);
    await api.end("SIGTERM");
  }));
