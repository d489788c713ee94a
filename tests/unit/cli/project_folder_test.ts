/** Reading a project from disk: what becomes part of a compile and what does not. */
import { dirname, join } from "node:path";
import { assertEquals, assertRejects } from "@std/assert";
import { readProjectFolder } from "../../../cli/project_folder.ts";

Deno.test("readProjectFolder() reads definitions, migration state and wrangler.toml, and nothing beside them", () =>
  inProject({
    "quickback/quickback.config.ts": "config",
    "quickback/features/a/a.ts": "table",
    "quickback/features/a/notes.md": "document",
    "quickback/drizzle/features/meta/_journal.json": "journal",
    "quickback/drizzle/features/0000_abc.sql": "sql",
    "quickback/README.md": "document",
    "quickback/action-input-schemas.json": '{"a.b":{"type":"object"}}',
    "quickback/.DS_Store": "litter",
    "quickback/node_modules/x/x.ts": "package",
    "wrangler.toml": "worker",
    "secret.ts": "outside",
    ".env": "outside",
  }, async (folder) => {
    assertEquals(await readProjectFolder(folder), {
      rawFiles: {
        "quickback/drizzle/features/meta/_journal.json": "journal",
        "quickback/features/a/a.ts": "table",
        "quickback/features/a/notes.md": "document",
        "quickback/quickback.config.ts": "config",
        "wrangler.toml": "worker",
      },
      migrations: { "quickback/drizzle/features/0000_abc.sql": "sql" },
      inputSchemas: { "a.b": { type: "object" } },
    });
  }));

Deno.test("readProjectFolder() hands on code in a wrong place, so that the compiler says so", () =>
  inProject({ "quickback/feature/a.ts": "lost" }, async (folder) => {
    const { rawFiles } = await readProjectFolder(folder);
    assertEquals(rawFiles, { "quickback/feature/a.ts": "lost" });
  }));

Deno.test("readProjectFolder() refuses symbolic links", () =>
  inProject({ "secret.txt": "secret", "quickback/quickback.config.ts": "" }, async (folder) => {
    await Deno.symlink(join(folder, "secret.txt"), join(folder, "quickback/lib.ts"));
    await assertRejects(() => readProjectFolder(folder), Error, "symbolic link");
  }));

Deno.test("readProjectFolder() refuses bytes that are no text", () =>
  inProject({ "quickback/quickback.config.ts": "" }, async (folder) => {
    await Deno.writeFile(join(folder, "quickback/a.ts"), new Uint8Array([0xff, 0xfe, 0x00]));
    await assertRejects(() => readProjectFolder(folder), Error, "not a UTF-8 text file");
  }));

Deno.test("readProjectFolder() says what a project is when there is none", () =>
  inProject({ "quickback/quickback.config.ts": "" }, async (folder) => {
    await assertRejects(() => readProjectFolder(join(folder, "other")), Error, "no quickback/");
    await assertRejects(
      () => readProjectFolder(join(folder, "quickback")),
      Error,
      "name the folder that holds it",
    );
  }));

async function inProject(
  files: Readonly<Record<string, string>>,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readProjectFolder() reads a PNG beside the texts of messages as a data: URL, and no other image", () =>
  inProject({ "quickback/quickback.config.ts": "config" }, async (folder) => {
    const templates = join(folder, "quickback/email-templates");
    await Deno.mkdir(templates);
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff);
    await Deno.writeFile(join(templates, "logo.png"), bytes);
    const { rawFiles } = await readProjectFolder(folder);
    assertEquals(
      rawFiles["quickback/email-templates/logo.png"],
      `data:image/png;base64,${bytes.toBase64()}`,
    );
    await Deno.writeFile(join(templates, "logo.gif"), bytes);
    await assertRejects(() => readProjectFolder(folder), Error, "is not a UTF-8 text file");
  }));
