/** `leakcheck <folder>`: a project whose author's code leaks, the same without the leak, and what cannot be checked. */
import { join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { inFolder, runCli } from "./command_line.ts";

const PEOPLE = `import { feature, q } from "quickback";
export default feature("people", {
  columns: { id: q.id(), organizationId: q.scope("organization"), motto: q.text() },
  masking: { motto: { type: "redact", show: { roles: ["admin"] } } },
  read: { access: { roles: ["reader", "admin"] } },
});
`;

const shout = (told: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Shout",
  input: z.object({}),
  access: { roles: ["reader"] },
  execute: ({ record }) => ({ told: ${told} }),
});
`;

async function inProject(
  told: string,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const people = join(folder, "quickback/features/people");
    await Deno.mkdir(join(people, "actions"), { recursive: true });
    await Deno.writeTextFile(
      join(folder, "quickback/quickback.config.ts"),
      'export default { name: "mottos" };\n',
    );
    await Deno.writeTextFile(join(people, "people.ts"), PEOPLE);
    await Deno.writeTextFile(join(people, "actions/shout.ts"), shout(told));
    await body(folder);
  });
}

Deno.test("leakcheck fails with the request, the caller, the column and the bytes of a leak", () =>
  inProject('record.motto + "!"', async (cwd) => {
    const { code, out, err } = await runCli(["leakcheck"], { cwd });
    assertEquals(code, 1, err);
    // Progress is for terminals.
    assertEquals(err, "");
    assertMatch(out, /^action: POST \/api\/v1\/people\/\w+\/shout$/m);
    assertMatch(out, /^ {2}as role:reader, people\.motto, body at byte 9, told$/m);
    assertMatch(out, /^ {2}one: {3}".*a\d!/m);
    assertMatch(out, /^ {2}other: ".*z\d+ a longer secret!/m);
    assertMatch(out, /^\d+ principals × \d+ requests = \d+ compared, [1-9]\d* differing$/m);
  }));

Deno.test("leakcheck ends well where every caller hears the same", () =>
  inProject("record.motto", async (cwd) => {
    const { code, out, err } = await runCli(["leakcheck", ".", "--json"], { cwd });
    assertEquals(code, 0, err);
    const report: unknown = JSON.parse(out);
    const { differences, admissions, principals } = Object(report);
    assertEquals([differences, admissions], [[], []]);
    assertEquals(principals.includes("role:admin"), false);
  }));

Deno.test("leakcheck tells of a project that does not compile", () =>
  inProject("record.motto", async (cwd) => {
    await Deno.writeTextFile(join(cwd, "quickback/quickback.config.ts"), "export default {};\n");
    const { code, err } = await runCli(["leakcheck"], { cwd });
    assertEquals(code, 1);
    assertStringIncludes(err, 'Key "name" is missing');
  }));
