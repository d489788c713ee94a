/** What the playground writes to disk: definitions of its project, over the version that the page has seen. */
import { join } from "node:path";
import { assert, assertEquals } from "@std/assert";
import { PROJECT, ROUTES } from "../../../playground/protocol.ts";
import {
  NOTES,
  ORIGIN,
  PAGE_HEADERS,
  type TestPlayground,
  withPlayground,
  writeOf,
} from "../../support/playground.ts";

const COMMENTS = "quickback/features/notes/comments.ts";
const OTHER_HASH = "0".repeat(64);

Deno.test("a file is written over the version that the page has seen, and nothing else is left", () =>
  withPlayground(async (playground) => {
    const { ask, read, folder } = playground;
    const hash = await hashOf(playground, NOTES);
    const text = `${await read(NOTES)}// edited: ü\n`;
    const answer = await ask(writeOf(NOTES), put(text, hash));
    assertEquals(answer.status, 200);
    assertEquals(await read(NOTES), text);
    assertEquals((await answer.json()).hash, await hashOf(playground, NOTES));
    assertEquals(await namesIn(join(folder, "quickback/features/notes")), ["notes.ts"]);
  }));

Deno.test("a file that changed on disk is not overwritten: 412", () =>
  withPlayground(async (playground) => {
    const { ask, read, folder } = playground;
    const hash = await hashOf(playground, NOTES);
    await Deno.writeTextFile(join(folder, NOTES), "// somebody else");
    const answer = await ask(writeOf(NOTES), put("// mine", hash));
    assertEquals([answer.status, (await answer.json()).code], [412, "FILE_CHANGED"]);
    const removed = await ask(writeOf(NOTES), { method: "DELETE", headers: ifMatch(hash) });
    assertEquals([removed.status, (await removed.json()).code], [412, "FILE_CHANGED"]);
    assertEquals(await read(NOTES), "// somebody else");
  }));

Deno.test("two writes over one version: the first wins, the second is told", () =>
  withPlayground(async (playground) => {
    const hash = await hashOf(playground, NOTES);
    const answers = await Promise.all(
      ["// first", "// second"].map((text) => playground.ask(writeOf(NOTES), put(text, hash))),
    );
    assertEquals(answers.map(({ status }) => status), [200, 412]);
    await Promise.all(answers.map(({ body }) => body?.cancel()));
    assertEquals(await playground.read(NOTES), "// first");
  }));

Deno.test("a write without a precondition is refused: 428", () =>
  withPlayground(async ({ ask, read }) => {
    const before = await read(NOTES);
    const preconditions: readonly Readonly<Record<string, string>>[] = [
      {},
      { "if-match": "*" },
      { "if-match": OTHER_HASH },
      { "if-match": `"${OTHER_HASH}", "${OTHER_HASH}"` },
      { "if-match": `"${OTHER_HASH}"`, "if-none-match": "*" },
    ];
    for (const headers of preconditions) {
      const answer = await ask(writeOf(NOTES), { method: "PUT", body: "", headers });
      assertEquals([answer.status, (await answer.json()).code], [428, "HASH_MISSING"]);
    }
    assertEquals(await read(NOTES), before);
  }));

Deno.test("a new file is made where there is none, and folders with it", () =>
  withPlayground(async ({ ask, read }) => {
    const path = "quickback/features/tasks/actions/close.ts";
    const init = { method: "PUT", body: "// new", headers: { "if-none-match": "*" } };
    assertEquals((await discarded(ask(writeOf(path), init))).status, 200);
    assertEquals(await read(path), "// new");
    const again = await ask(writeOf(path), { ...init, body: "// other" });
    assertEquals([again.status, (await again.json()).code], [412, "FILE_CHANGED"]);
    assertEquals(await read(path), "// new");
  }));

Deno.test("a file is renamed and removed, with everything else in its place", () =>
  withPlayground(async (playground) => {
    const { ask, folder } = playground;
    const hash = await hashOf(playground, NOTES);
    const rename = (to: string) => ({
      method: "POST",
      body: JSON.stringify({ from: NOTES, to }),
      headers: ifMatch(hash),
    });
    const onto = await ask(ROUTES.renames, rename("quickback/quickback.config.ts"));
    assertEquals([onto.status, (await onto.json()).code], [412, "FILE_CHANGED"]);
    assertEquals((await ask(ROUTES.renames, rename(COMMENTS))).status, 204);
    assertEquals(await namesIn(join(folder, "quickback/features/notes")), ["comments.ts"]);
    const removed = await ask(writeOf(COMMENTS), { method: "DELETE", headers: ifMatch(hash) });
    assertEquals(removed.status, 204);
    const gone = await ask(writeOf(COMMENTS), { method: "DELETE", headers: ifMatch(hash) });
    assertEquals([gone.status, (await gone.json()).code], [404, "FILE_MISSING"]);
  }));

const FORBIDDEN_PATHS = [
  "package.json",
  "deno.json",
  "wrangler.toml",
  "out/main.ts",
  "quickback",
  "quickback/package.json",
  "quickback/drizzle/meta/_journal.json",
  "quickback/drizzle/0000_first.sql",
  "quickback/features/notes/.env",
  "quickback/features/.git/config",
  "quickback/lib/node_modules/x/index.ts",
  "quickback/features/notes/..%2F..%2F..%2Fout.ts",
  "quickback/features/..%5C..%5Cout.ts",
  "..%2Fout.ts",
  "%2Fetc%2Fpasswd",
  "quickback%2F..%2F..%2Fout.ts",
  "quickback/features/notes/a%00b.ts",
  "quickback/features/notes/a%0Ab.ts",
  "quickback/features/notes/%zz.ts",
  "quickback/features//notes.ts",
  "C:%5Cout.ts",
  "quickback/features/notes/notes.js",
];

for (const path of FORBIDDEN_PATHS) {
  Deno.test(`nothing is written to ${path}`, () =>
    withPlayground(async ({ ask, folder }) => {
      const before = await treeOf(folder);
      const init = { method: "PUT", body: "x", headers: { "if-none-match": "*" } };
      const answer = await ask(writeOf(path), init);
      assertEquals([answer.status, (await answer.json()).code], [403, "PATH_REFUSED"]);
      assertEquals(await treeOf(folder), before);
    }));
}

Deno.test("dots in a path are resolved before it is judged", () =>
  withPlayground(async ({ ask, folder }) => {
    const before = await treeOf(folder);
    for (const path of ["../../out.ts", "quickback/../../out.ts", "quickback/%2e%2e/out.ts"]) {
      const init = { method: "PUT", body: "x", headers: { "if-none-match": "*" } };
      const { status } = await discarded(ask(writeOf(path), init));
      assert(status === 403 || status === 404, `${path} was answered ${status}`);
    }
    assertEquals(await treeOf(folder), before);
  }));

Deno.test("a rename goes nowhere either", () =>
  withPlayground(async (playground) => {
    const { ask, folder } = playground;
    const hash = await hashOf(playground, NOTES);
    const before = await treeOf(folder);
    for (
      const [from, to] of [[NOTES, "../out.ts"], [NOTES, "/tmp/out.ts"], ["../x.ts", COMMENTS]]
    ) {
      const body = JSON.stringify({ from, to });
      const answer = await ask(ROUTES.renames, { method: "POST", body, headers: ifMatch(hash) });
      assertEquals([answer.status, (await answer.json()).code], [403, "PATH_REFUSED"]);
    }
    assertEquals(await treeOf(folder), before);
  }));

Deno.test("nothing is written through a symbolic link, neither a file's nor a folder's", () =>
  withPlayground(async ({ ask, folder }) => {
    const outside = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(join(outside, "secret.ts"), "// secret");
      await Deno.symlink(outside, join(folder, "quickback/features/linked"));
      await Deno.symlink(join(outside, "secret.ts"), join(folder, COMMENTS));
      for (const path of [COMMENTS, "quickback/features/linked/secret.ts"]) {
        for (const headers of [{ "if-none-match": "*" }, ifMatch(OTHER_HASH)]) {
          const answer = await ask(writeOf(path), { method: "PUT", body: "x", headers });
          assertEquals([answer.status, (await answer.json()).code], [403, "LINK_REFUSED"]);
        }
      }
      const project = await ask(ROUTES.project);
      const { code, detail } = await project.json();
      assertEquals([project.status, code], [409, "PROJECT_UNREADABLE"]);
      assertEquals(/is a symbolic link/.test(detail), true);
      assertEquals(await namesIn(outside), ["secret.ts"]);
      assertEquals(await Deno.readTextFile(join(outside, "secret.ts")), "// secret");
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  }));

Deno.test("a folder is not written over, a file is no folder", () =>
  withPlayground(async ({ ask, folder }) => {
    await Deno.mkdir(join(folder, COMMENTS));
    const init = { method: "PUT", body: "x", headers: { "if-none-match": "*" } };
    for (const path of [COMMENTS, `quickback/lib/x.ts/y.ts`]) {
      if (path !== COMMENTS) {
        assertEquals((await discarded(ask(writeOf("quickback/lib/x.ts"), init))).status, 200);
      }
      const answer = await ask(writeOf(path), init);
      assertEquals([answer.status, (await answer.json()).code], [403, "PATH_REFUSED"]);
    }
  }));

Deno.test("what is too large or no text is refused before it reaches the disk", () =>
  withPlayground(async ({ ask, app, folder }) => {
    const before = await treeOf(folder);
    const headers = { "if-none-match": "*" };
    const large = await ask(writeOf(COMMENTS), {
      method: "PUT",
      body: "x".repeat(512 * 1024 + 1),
      headers,
    });
    assertEquals([large.status, (await large.json()).code], [413, "BODY_TOO_LARGE"]);
    const binary = await app.fetch(
      new Request(ORIGIN + writeOf(COMMENTS), {
        method: "PUT",
        headers: { ...PAGE_HEADERS, ...headers },
        body: new Uint8Array([0xff, 0xfe]),
      }),
    );
    assertEquals([binary.status, (await binary.json()).code], [400, "BODY_REFUSED"]);
    assertEquals(await treeOf(folder), before);
  }));

Deno.test("the project is listed with what a compile takes beside its definitions", () =>
  withPlayground(async ({ ask, folder }) => {
    await Deno.writeTextFile(join(folder, "wrangler.toml"), "");
    const project = PROJECT.parse(await (await ask(ROUTES.project)).json());
    assertEquals(project.files.map(({ path }) => path), ["quickback/quickback.config.ts", NOTES]);
    assertEquals(Object.keys(project.companions), ["wrangler.toml"]);
  }));

function put(body: string, hash: string) {
  return { method: "PUT", body, headers: ifMatch(hash) };
}

function ifMatch(hash: string) {
  return { "if-match": `"${hash}"` };
}

async function hashOf({ ask }: TestPlayground, path: string): Promise<string> {
  const project = PROJECT.parse(await (await ask(ROUTES.project)).json());
  return project.files.find((file) => file.path === path)?.hash ?? "";
}

async function discarded(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.body?.cancel();
  return response;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

/** Every file with its text. */
async function treeOf(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await treeOf(path));
    else found.push(`${path}: ${await Deno.readTextFile(path)}`);
  }
  return found.sort();
}
