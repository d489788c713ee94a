/** A guide whose project compiles, and answers the requests of the page as the page says. */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "./api.ts";
import { codeBlocks, readPage } from "./pages.ts";

interface Guide {
  /** Path of the page in this repository. */
  readonly page: string;
  /** Who asks, by the first word of a request; the first of them asks where none is named. */
  readonly callers: Readonly<Record<string, Claims>>;
  /** Files that the page does not show. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Fails unless every request of the page is answered as it says. The id of the last record made of a resource stands for `$<resource>`. */
export async function assertGuideHolds({ page, callers, files = {} }: Guide): Promise<void> {
  const blocks = codeBlocks(await readPage(page));
  const shown = blocks.flatMap(({ text, after }) => {
    const [, path] = /`(quickback\/[^`]+)`:$/.exec(after) ?? [];
    return path === undefined ? [] : [[path, text] as const];
  });
  const asked = blocks.filter(({ language }) => language === "http")
    .flatMap(({ text }) => text.trim().split(/\n\n/));
  assert(asked.length > 8, `Only ${asked.length} requests were found`);
  await withDefinitions({ ...files, ...Object.fromEntries(shown) }, async (api) => {
    const ids = new Map<string, string>();
    for (const exchange of asked) await compare(api, exchange, { ids, callers });
  });
}

async function compare(
  api: ApiUnderTest,
  exchange: string,
  { ids, callers }: Pick<Guide, "callers"> & { readonly ids: Map<string, string> },
): Promise<void> {
  const named = exchange.replaceAll(/\$(\w+)/g, (name, resource) => ids.get(resource) ?? name);
  const [request = "", answer = ""] = named.split("\n");
  const [, caller, method = "", path = "", body] =
    /^(?:([a-z]+) )?([A-Z]+) (\S+)(?: (.*))?$/.exec(request) ?? [];
  const [, status = "", wanted = "{}"] = /^(\d+)(?: (.*))?$/.exec(answer) ?? [];
  const as = caller === undefined ? Object.values(callers)[0] : callers[caller];
  assert(as !== undefined, `Nobody is called "${caller}" in ${request}`);
  const found = await api.ask(path, {
    method,
    as,
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  });
  const expected: Record<string, unknown> = JSON.parse(wanted);
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, found.body[name]]));
  assertEquals([found.status, shown], [Number(status), expected], `${exchange}\n${found.text}`);
  const { id } = found.body;
  if (method === "POST" && typeof id === "string") ids.set(path, id);
}
