/** The guide to code around writes: its project compiles, its types are right, and it answers what the page says. */
import { assert, assertEquals } from "@std/assert";
import type { ApiUnderTest, Claims } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { codeBlocks, readPage } from "../support/pages.ts";
import { inFolder, runHere } from "../cli/command_line.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const blocks = codeBlocks(await readPage("docs/guides/hooks.md"));

const files: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": `export default { name: "invoices" };\n`,
  ...Object.fromEntries(blocks.flatMap(({ text, after }) => {
    const [, path] = /^`(quickback\/[^`]+)`:$/.exec(after) ?? [];
    return path === undefined ? [] : [[path, text]];
  })),
};

const asked = blocks.filter(({ language }) => language === "http")
  .flatMap(({ text }) => text.trim().split(/\n\n/));

Deno.test("the project of the guide to code around writes answers what the guide says", async () => {
  assert(asked.length > 8, `Only ${asked.length} requests were found`);
  await withCompiledActions(files, async (api) => {
    const ids = new Map<string, string>();
    for (const exchange of asked) await compare(api, exchange, ids);
  });
});

/** The id of the last record made of a resource stands for its name. */
async function compare(
  api: ApiUnderTest,
  exchange: string,
  ids: Map<string, string>,
): Promise<void> {
  const named = exchange.replaceAll(/\$(\w+)/g, (name, resource) => ids.get(resource) ?? name);
  const [request = "", answer = ""] = named.split("\n");
  const [, method = "", path = "", body] = /^(\w+) (\S+)(?: (.*))?$/.exec(request) ?? [];
  const [, status = "", wanted = "{}"] = /^(\d+) (.*)$/.exec(answer) ?? [];
  const found = await api.ask(path, {
    method,
    as: ANN,
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  });
  const expected: Record<string, unknown> = JSON.parse(wanted);
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, found.body[name]]));
  assertEquals([found.status, shown], [Number(status), expected], `${exchange}\n${found.text}`);
  const { id } = found.body;
  if (method === "POST" && typeof id === "string") ids.set(path, id);
}

const HOOKS = "quickback/features/invoices/hooks/invoices.ts";

Deno.test("check knows the records, changes and results of hooks", () =>
  inFolder(async (above) => {
    await runHere(["new", "empty", "shop"], { cwd: above });
    const folder = `${above}/shop`;
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    const check = async () => {
      const { out, err } = await runHere(["check", "--json"], { cwd: folder });
      const told: { readonly diagnostics?: readonly Record<string, unknown>[] } = JSON.parse(out);
      assert(told.diagnostics, err);
      return told.diagnostics.filter(({ severity }) => severity === "error")
        .map(({ code, file, line, message }) => [code, file, line, message]);
    };
    assertEquals(await check(), []);
    const right = files[HOOKS] ?? "";
    for (
      const [from, to] of [
        ["changes.customer ??", "changes.custmer ??"],
        ["sentAt: new Date()", "sentAt: new Date(), id: record.id"],
        ["number: highest + 1", 'number: "next"'],
        ["record.status ===", "record.state ==="],
      ] as const
    ) {
      assert(right.includes(from));
      await Deno.writeTextFile(`${folder}/${HOOKS}`, right.replace(from, to));
      const found = await check();
      assertEquals(found.map(([, file]) => file), [HOOKS], `${to}: ${JSON.stringify(found)}`);
    }
  }));
