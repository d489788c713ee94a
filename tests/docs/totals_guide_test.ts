/** The guide to totals and numbers: its project compiles, and answers what the page says. */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { codeBlocks, readPage } from "../support/pages.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const blocks = codeBlocks(await readPage("docs/guides/totals.md"));

const files = {
  "quickback/quickback.config.ts": `export default { name: "orders" };\n`,
  ...Object.fromEntries(blocks.flatMap(({ text, after }) => {
    const [, path] = /^`(quickback\/[^`]+)`:$/.exec(after) ?? [];
    return path === undefined ? [] : [[path, text]];
  })),
};

const asked = blocks.filter(({ language }) => language === "http")
  .flatMap(({ text }) => text.trim().split(/\n\n/));

Deno.test("the project of the guide to totals answers what the guide says", async () => {
  assert(asked.length > 8, `Only ${asked.length} requests were found`);
  await withDefinitions(files, async (api) => {
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
