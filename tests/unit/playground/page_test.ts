/** The page's own files: a failure to make them is said on the page and in the log. */
import { join } from "node:path";
import { assert, assertEquals } from "@std/assert";
import { pageFiles } from "../../../playground/server/page_files.ts";
import { keptFile } from "../../../playground/server/kept_file.ts";
import { DECLARATIONS, ROUTES } from "../../../playground/protocol.ts";
import { DECLARED, NOTES, withPlayground } from "../../support/playground.ts";

Deno.test("a page whose program cannot be made says so, and is made by the next visit that can", async () => {
  const failures: unknown[] = [];
  let isBroken = true;
  const made = new TextEncoder().encode("made");
  const bundle = () => isBroken ? Promise.reject(new Error("No network")) : Promise.resolve(made);
  const script = pageFiles({
    bundle,
    library: () => Promise.resolve({ options: {}, files: {} }),
    cache: null,
    onFailure: (error) => void failures.push(error),
  }).get("/page.js");
  const stand = await script?.read({ nonce: "" });
  assert(typeof stand === "string" && stand.includes("The page cannot be made"));
  assertEquals(failures.length, 1);
  isBroken = false;
  assertEquals(await script?.read({ nonce: "" }), made);
  isBroken = true;
  assertEquals(await script?.read({ nonce: "" }), made);
});

Deno.test("what takes seconds to make is made once per version, over several runs", async () => {
  const folder = await Deno.makeTempDir();
  try {
    let count = 0;
    const read = (version: string) =>
      keptFile(join(folder, "cache"), "page.js", version, () => {
        count++;
        return Promise.resolve(new TextEncoder().encode(version));
      });
    const texts = [await read("one"), await read("one"), await read("two"), await read("one")];
    assertEquals(texts.map((bytes) => new TextDecoder().decode(bytes)), [
      "one",
      "one",
      "two",
      "one",
    ]);
    assertEquals(count, 3);
    const left = await Array.fromAsync(Deno.readDir(join(folder, "cache")));
    assertEquals(left.map(({ name }) => name), ["one-page.js"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the page's files are compressed, and a visit that has them fetches none again", () =>
  withPlayground(async ({ ask }) => {
    const first = await ask("/page.css", { headers: { "accept-encoding": "gzip" } });
    assertEquals(first.headers.get("content-encoding"), "gzip");
    assertEquals(first.headers.get("cache-control"), "no-cache");
    await first.body?.cancel();
    const tag = first.headers.get("etag");
    assert(tag);
    const again = await ask("/page.css", { headers: { "if-none-match": tag } });
    assertEquals(again.status, 304);
    // The page itself has another nonce each time.
    const page = await ask("/");
    assertEquals(page.headers.get("cache-control"), "no-store");
    await page.body?.cancel();
  }));

Deno.test("declarations are of what is edited, or of the last time without mistakes", () =>
  withPlayground(async ({ ask, read }) => {
    const declared = async (edits: Readonly<Record<string, string>>) => {
      const answer = await ask(ROUTES.declarations, {
        method: "POST",
        body: JSON.stringify(edits),
      });
      return DECLARATIONS.parse(await answer.json());
    };
    const saved = await read(NOTES);
    const edited = await declared({
      [NOTES]: saved.replace("title:", "color: q.text(),\n    title:"),
    });
    assert(edited.isCurrent);
    assert(edited.files[".quickback/types/schema/notes.ts"]?.includes("color"));
    assert(edited.files[".quickback/types.d.ts"]?.includes("interface Register"));
    const broken = await declared({ [NOTES]: "export default" });
    assertEquals(broken, { isCurrent: false, files: DECLARED });
    const refused = await ask(ROUTES.declarations, { method: "POST", body: '{"a":1}' });
    assertEquals((await refused.json()).code, "BODY_REFUSED");
  }));

Deno.test("the page's styles load nothing", () =>
  withPlayground(async ({ ask }) => {
    const answer = await ask("/page.css");
    assertEquals(answer.headers.get("content-type"), "text/css; charset=utf-8");
    const styles = await answer.text();
    assertEquals(/@import|url\(/.test(styles), false);
    for (const part of ["body {", ".panes {", ".cm-editor {", ".layers {"]) {
      assert(styles.includes(part), `No styles for ${part}`);
    }
  }));
