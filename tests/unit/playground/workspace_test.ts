/** What the page keeps of the project: nobody's text is lost, whoever writes first. */
import { assert, assertEquals } from "@std/assert";
import { Connection } from "../../../playground/browser/connection.ts";
import { firstText, isUnsaved, Workspace } from "../../../playground/browser/workspace.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { NOTES, type TestPlayground, TOKEN, withPlayground } from "../../support/playground.ts";

Deno.test("what is typed is unsaved until it is on disk", () =>
  withWorkspace(async (workspace, { read }) => {
    workspace.edit(NOTES, "// typed");
    assertEquals(workspace.unsaved.map(({ path }) => path), [NOTES]);
    await workspace.save(NOTES);
    assertEquals(workspace.unsaved, []);
    assertEquals(await read(NOTES), "// typed");
  }));

Deno.test("an untouched file follows the disk", () =>
  withWorkspace(async (workspace, playground) => {
    await written(playground, "// by an editor");
    await workspace.load();
    assertEquals(workspace.file(NOTES)?.text, "// by an editor");
    assertEquals(workspace.unsaved, []);
  }));

Deno.test("of two writers the second is asked, and either text can win", async () => {
  for (const winner of ["mine", "disk"] as const) {
    await withWorkspace(async (workspace, playground) => {
      workspace.edit(NOTES, "// mine");
      await written(playground, "// disk");
      const refusal = await workspace.save(NOTES).catch((error: unknown) => error);
      assert(refusal instanceof Error && refusal.name === "Refused");
      assertEquals(workspace.file(NOTES)?.isContested, true);
      assertEquals(workspace.file(NOTES)?.text, "// mine");
      await workspace.load();
      assertEquals(workspace.file(NOTES)?.isContested, true);
      if (winner === "mine") workspace.keepMine(NOTES);
      else workspace.takeDisk(NOTES);
      for (const { path } of workspace.unsaved) await workspace.save(path);
      assertEquals(await playground.read(NOTES), `// ${winner}`);
      assertEquals(workspace.file(NOTES)?.isContested, false);
    });
  }
});

Deno.test("a file that went from the disk keeps what was typed into it", () =>
  withWorkspace(async (workspace, { folder }) => {
    workspace.edit(NOTES, "// mine");
    await Deno.remove(`${folder}/${NOTES}`);
    await workspace.load();
    assertEquals(workspace.file(NOTES)?.isContested, true);
    workspace.keepMine(NOTES);
    await workspace.save(NOTES);
    assertEquals(await Deno.readTextFile(`${folder}/${NOTES}`), "// mine");
  }));

Deno.test("a file is made, renamed and removed, on disk too", () =>
  withWorkspace(async (workspace, { read, folder }) => {
    const [first, second] = ["quickback/lib/first.ts", "quickback/lib/second.ts"];
    workspace.create(first, "// new");
    assertEquals(workspace.unsaved.map(({ path }) => path), [first]);
    await workspace.save(first);
    await workspace.rename(first, second);
    assertEquals([workspace.file(first), await read(second)], [null, "// new"]);
    await workspace.remove(second);
    await workspace.load();
    assertEquals(workspace.file(second), null);
    assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/quickback/lib`)), []);
  }));

Deno.test("what is saved here already is no news", () =>
  withWorkspace(async (workspace) => {
    workspace.edit(NOTES, "// typed");
    await workspace.save(NOTES);
    const heard: string[] = [];
    workspace.onChange((change) => void heard.push(change));
    await workspace.load();
    assertEquals(heard, []);
  }));

Deno.test("a new definition compiles as it begins", () =>
  withWorkspace((workspace) => {
    for (
      const path of [
        "quickback/features/sub-tasks/sub-tasks.ts",
        "quickback/features/notes/actions/archive.ts",
      ]
    ) {
      workspace.create(path, firstText(path));
    }
    const { rawFiles } = JSON.parse(workspace.compileBody());
    const result = validate(rawFiles, undefined, { readsSchemas: true });
    assertEquals(result.ok ? [] : result.errors, []);
    assert(workspace.files.some(isUnsaved));
    return Promise.resolve();
  }));

function withWorkspace(
  body: (workspace: Workspace, playground: TestPlayground) => Promise<void>,
): Promise<void> {
  return withPlayground(async (playground) => {
    const connection = new Connection(TOKEN, (path, init) =>
      playground.ask(path, {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === "string" ? { body: init.body } : {}),
      }));
    const workspace = new Workspace(connection);
    await workspace.load();
    await body(workspace, playground);
  });
}

function written({ folder }: TestPlayground, text: string): Promise<void> {
  return Deno.writeTextFile(`${folder}/${NOTES}`, text);
}
