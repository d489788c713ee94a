/** The author's code in the output: what is written there, and that it type-checks with the types of the definitions. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { vendor } from "../../../container/host.ts";
import { compile, type CompileHost, type GeneratedFile } from "../../../shared/compiler/mod.ts";
import { CLINIC } from "../../support/clinic.ts";
import { assertGolden } from "../../support/golden.ts";
import { BARE_HOST, filesBelow, projectFiles } from "../../support/sample_files.ts";
import { withSteadyFolder } from "../../support/temp_folder.ts";

const FOLDER = "tests/compiler/actions/sample";
const ROOT = new URL("../../../", import.meta.url);
const INPUT = await projectFiles(new URL(`${FOLDER}/input/`, ROOT));

/** Where authored code and what surrounds it stands. */
const OWN = /^src\/(actions\.ts|services\.ts|authored\/|authoring\/)/;

function outputOf(files: Readonly<Record<string, string>>, host = BARE_HOST) {
  const result = compile(files, host);
  assert(result.ok, JSON.stringify(result));
  return result.files;
}

Deno.test("compile() writes the author's code so that its imports resolve", async () => {
  const own = outputOf(INPUT).filter(({ path }) => OWN.test(path));
  if (Deno.env.get("UPDATE_GOLDEN") === "1") {
    await writeAll(new URL(`${FOLDER}/expected/`, ROOT), own);
  }
  for (const { path, content } of own) assertGolden(`${FOLDER}/expected/${path}`, content);
  const expected = await filesBelow(new URL(`${FOLDER}/expected/`, ROOT));
  assertEquals(own.map(({ path }) => path), Object.keys(expected).sort());
});

Deno.test("compile() carries support code whether anything imports it or not, and no other", () => {
  const unused = "export const unused = 1;\n";
  const paths = outputOf({
    ...INPUT,
    "quickback/lib/unused.ts": unused,
    "quickback/plugins/unused.ts": unused,
    "quickback/features/jobs/lib/unused.ts": unused,
    "quickback/email-templates/invitation.html": "<p>Hello</p>",
    "quickback/email-templates/unused.tsx":
      'import { Html } from "@react-email/components";\nexport default () => <Html>Hello</Html>;\n',
    "quickback/features/jobs/handlers/unused.ts": unused,
    "quickback/services/unused.ts": unused,
  }).map(({ path }) => path);
  assertEquals(paths.filter((path) => /unused|invitation/.test(path)), [
    "src/authored/email-templates/invitation.html",
    "src/authored/email-templates/unused.tsx",
    "src/authored/features/jobs/lib/unused.ts",
    "src/authored/lib/unused.ts",
    "src/authored/plugins/unused.ts",
  ]);
});

Deno.test("handlers are checked against the types of their definitions", async () => {
  await withSteadyFolder(async (path) => {
    const folder = new URL(`file://${path}/`);
    const output = outputOf(INPUT, typedHost());
    await writeAll(folder, output);
    assertEquals(await checked(folder), "");
    await writeAll(folder, output.map(misspelt));
    const told = await checked(folder);
    for (
      const name of [
        "statu",
        "reson",
        "bod",
        "jbs",
        "idd",
        "bdy",
        "rnk",
        "chnged",
        "al",
        "ident",
        "idnt",
      ]
    ) {
      assertStringIncludes(told, `Property '${name}' does not exist`);
    }
  });
});

Deno.test("every form of definitions 5 type-checks in the output without an annotation", async () => {
  await withSteadyFolder(async (path) => {
    const folder = new URL(`file://${path}/`);
    await writeAll(folder, outputOf(CLINIC, typedHost()));
    assertEquals(await checked(folder), "");
  });
});

/** A mistake of the author's for each thing that is typed from a definition. */
function misspelt({ path, content }: GeneratedFile): GeneratedFile {
  const slips: readonly (readonly [RegExp, string])[] = [
    [/record\.status\b/, "record.statu"],
    [/input\.reason \?\?/, "input.reson ??"],
    [/refs\.noteId\.body/, "refs.noteId.bod"],
    [/db\.query\.jobs/, "db.query.jbs"],
    [/\{ id: jobs\.id,/, "{ id: jobs.idd,"],
    [/record\.body/, "record.bdy"],
    [/input\.rank/, "input.rnk"],
    [/invalidate\.board\.changed/, "invalidate.board.chnged"],
    [/services\.jobCounts\.all/, "services.jobCounts.al"],
    [/data\.id/, "data.ident"],
    [/organization\.id/, "organization.idnt"],
  ];
  const isCode = path.startsWith("src/authored/");
  return {
    path,
    content: isCode ? slips.reduce((text, slip) => text.replace(...slip), content) : content,
  };
}

/** A host with the library and the model's types, without the runtime. */
function typedHost(): CompileHost {
  const readText = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
  const { files } = vendor({
    entries: [
      "shared/authoring/mod.ts",
      "shared/model/access.ts",
      "shared/model/table_spec.ts",
      "shared/surface/action_implementation.ts",
      "shared/surface/authored_code.ts",
    ],
    readText,
  });
  const { imports } = JSON.parse(readText("deno.json"));
  const { zod, hono, "drizzle-orm": drizzle } = imports;
  return { ...BARE_HOST, vendored: files, imports: { zod, hono, "drizzle-orm": drizzle } };
}

async function checked(folder: URL): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "src/actions.ts", "src/services.ts"],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  return success ? "" : new TextDecoder().decode(stderr);
}

async function writeAll(folder: URL, files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, content } of files) {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, content);
  }
}
