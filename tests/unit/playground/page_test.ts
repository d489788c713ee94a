/** The page's own files: a failure to make them is said on the page and in the log. */
import { assert, assertEquals } from "@std/assert";
import { pageFiles } from "../../../playground/server/page_files.ts";
import { withPlayground } from "../../support/playground.ts";

Deno.test("a page whose program cannot be made says so, and is made by the next visit that can", async () => {
  const failures: unknown[] = [];
  let isBroken = true;
  const bundle = () => isBroken ? Promise.reject(new Error("No network")) : Promise.resolve("made");
  const script = pageFiles({ bundle, onFailure: (error) => void failures.push(error) })
    .get("/page.js");
  const stand = await script?.read({ nonce: "" });
  assert(typeof stand === "string" && stand.includes("The page cannot be made"));
  assertEquals(failures.length, 1);
  isBroken = false;
  assertEquals(await script?.read({ nonce: "" }), "made");
  isBroken = true;
  assertEquals(await script?.read({ nonce: "" }), "made");
});

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
