/** `adopt` rewrites what has one form, keeps its author's words, lists the rest, and writes only what git or a person lets it. */
import { dirname, join } from "node:path";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { readTree } from "../../../cli/project_folder.ts";
import type { RawFiles } from "../../../shared/compiler/mod.ts";
import { kitState, olderProject } from "../../support/older_project.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const CONFIG = "quickback/quickback.config.ts";

interface Scene {
  readonly folder: string;
  adopt(...options: string[]): Promise<{ code: number; out: string; err: string }>;
  /** Every file below quickback/. */
  files(): Promise<RawFiles>;
  git(...args: string[]): Promise<void>;
}

async function inProject(files: RawFiles, body: (scene: Scene) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await body({
      folder,
      async adopt(...options) {
        const terminal = recordingTerminal();
        const code = await main(["adopt", folder, ...options], terminal);
        return { code, out: terminal.outText(), err: terminal.errText() };
      },
      files: async () => await readTree(folder, "quickback") ?? {},
      async git(...args) {
        const { success, stderr } = await new Deno.Command("git", {
          args: ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args],
        }).output();
        assert(success, new TextDecoder().decode(stderr));
      },
    });
  });
}

Deno.test("a project is rewritten in its author's words, and what a person decides is listed", async () =>
  inProject(await olderProject(6), async ({ adopt, files }) => {
    const { code, out, err } = await adopt("--write");
    assertEquals(code, 0);
    const after = await files();
    assertEquals(Object.keys(after).filter((path) => !path.includes("/drizzle/")), [
      "quickback/features/labels/labels.ts",
      "quickback/features/projects/projects.ts",
      "quickback/features/tasks/actions.ts",
      "quickback/features/tasks/handlers/count-open.ts",
      "quickback/features/tasks/handlers/finish.ts",
      "quickback/features/tasks/tasks.ts",
      "quickback/features/time-entries/time-entries.ts",
      "quickback/lib/states.ts",
      CONFIG,
    ]);
    const projects = after["quickback/features/projects/projects.ts"] ?? "";
    for (
      const kept of [
        "/** Projects: what we are paid for. */\nimport { feature, q } from 'quickback';\n",
        'import { STATES } from "../../lib/states";',
        "    name:           q.text().required(), // shown everywhere\n",
        "  crud: {\n    // Everybody reads.\n    create: {",
      ]
    ) assertStringIncludes(projects, kept);
    assertStringIncludes(
      after["quickback/features/labels/labels.ts"] ?? "",
      'from "../../lib/states";\n\n// Kept short on purpose.\n',
    );
    assertStringIncludes(
      after["quickback/features/tasks/actions.ts"] ?? "",
      '    // not on one task\n    path: "/tasks/count-open",',
    );
    assertStringIncludes(out, "baseline labels, projects, tasks, timeEntries");
    assertStringIncludes(out, 'decide Table "custom_view" is the first implementation\'s own');
    assertStringIncludes(err, "ROLE_OUTSIDE_HIERARCHY");
    assertStringIncludes(err, "KEY_WITHOUT_MEANING");
  }));

for (const version of [6, 7] as const) {
  Deno.test(`a state of version ${version} is the first migration, and the old files are gone`, async () =>
    inProject(await olderProject(version), async ({ adopt, files }) => {
      await adopt("--write");
      const state = Object.keys(await files()).filter((path) => path.includes("/drizzle/"));
      assertEquals(state.map((path) => path.replace(/0000_[0-9a-f]{8}/, "0000_hash")), [
        "quickback/drizzle/features/0000_hash.sql",
        "quickback/drizzle/features/meta/0000_snapshot.json",
        "quickback/drizzle/features/meta/_journal.json",
      ]);
    }));
}

Deno.test("once the decisions are made, a second run says how the tables are spelled, and a third has nothing to do", async () =>
  inProject(await olderProject(6), async ({ adopt, files, folder }) => {
    assertStringIncludes((await adopt("--write")).out, "run adopt again then");
    const config = (await files())[CONFIG] ?? "";
    await Deno.writeTextFile(
      join(folder, CONFIG),
      config.replace("cms: true,", 'auth: { roleHierarchy: ["member", "admin"] },'),
    );
    const second = await adopt("--write", "--json");
    assertEquals(second.code, 0);
    const told = JSON.parse(second.out);
    assertEquals([told.ok, told.written, told.moved, told.decisions, told.diagnostics], [
      true,
      true,
      [],
      [],
      [],
    ]);
    assertEquals(told.rewritten.map(({ file }: { file: string }) => file), [CONFIG]);
    const spelled = (await files())[CONFIG] ?? "";
    assertStringIncludes(
      spelled,
      `  auth: { roleHierarchy: ["member", "admin"] }, // gone one day
  compiler: {
    migrations: {
      renames: {
        tables: {
          timeEntries: "time_entries",
        },
      },
    },
  },
});`,
    );
    const before = await files();
    const third = JSON.parse((await adopt("--write", "--json")).out);
    assertEquals([third.rewritten, third.baseline, await files()], [[], [], before]);
    assertStringIncludes((await adopt()).out, "Nothing to rewrite");
  }));

Deno.test("a clean work tree is written in place; any other shows the difference and stays", async () =>
  inProject(await olderProject(7), async ({ adopt, files, git, folder }) => {
    const before = await files();
    const bare = await adopt();
    assertEquals([bare.code, await files()], [0, before]);
    assertStringIncludes(bare.out, "Nothing is written: the folder is in no git work tree");
    assertStringIncludes(
      bare.out,
      "--- quickback/definitions/features/labels.ts\n+++ quickback/features/labels/labels.ts\n",
    );
    assertStringIncludes(bare.out, '-import { feature, q } from "@quickback/compiler";');

    const { written, diff } = JSON.parse((await adopt("--json")).out);
    assertEquals([written, bare.out.includes(diff)], [false, true]);

    await git("init", "-q");
    await git("add", ".");
    const dirty = await adopt();
    assertEquals([dirty.code, await files()], [0, before]);
    assertStringIncludes(dirty.out, 'Nothing is written: git status says "A  quickback/');

    await git("commit", "-qm", "As it was");
    await Deno.writeTextFile(join(folder, "note.txt"), "mine");
    assertStringIncludes((await adopt()).out, 'git status says "?? note.txt"');
    await Deno.remove(join(folder, "note.txt"));
    const clean = await adopt();
    assertEquals(clean.code, 0);
    assert(!clean.out.includes("Nothing is written") && !clean.out.includes("+++"), clean.out);
    assert(Object.hasOwn(await files(), "quickback/features/labels/labels.ts"));
    assert(!Object.hasOwn(await files(), "quickback/definitions/features/labels.ts"));
  }));

Deno.test("files that git ignores are not given up without --write", async () =>
  inProject(await olderProject(6), async ({ adopt, files, git, folder }) => {
    await Deno.writeTextFile(join(folder, ".gitignore"), "drizzle/\n");
    await git("init", "-q");
    await git("add", ".");
    await git("commit", "-qm", "As it was");
    const before = await files();
    const { out } = await adopt();
    assertStringIncludes(out, "git does not know quickback/drizzle/features/");
    assertEquals(await files(), before);
  }));

Deno.test("columns in camel case keep their spelling by the project's convention", async () => {
  const six = await kitState(6, "quickback/drizzle/features");
  const camel = Object.fromEntries(
    Object.entries(six).map(([path, text]) => [
      path,
      path.endsWith(".json")
        ? text.replace(
          /"([a-z]+)_([a-z]+)"/g,
          (all, one, two) =>
            ["by", "at", "id", "public"].includes(two) || two.startsWith("i")
              ? `"${one}${two[0].toUpperCase()}${two.slice(1)}"`
              : all,
        )
        : text,
    ]),
  );
  const project = {
    ...camel,
    "quickback.config.ts": `import { defineConfig, defineDatabase } from "@quickback/compiler";
export default defineConfig({
  name: "camel",
  providers: { database: defineDatabase("libsql", { generateId: "prefixed" }) },
});
`,
    "definitions/features/tasks/tasks.ts": `import { feature, q } from "@quickback/compiler";
export default feature("tasks", {
  columns: {
    id: q.id(),
    projectId: q.text().required(),
    title: q.text().required(),
    code: q.text().required().unique(),
    done: q.bool().required().default(false),
    organizationId: q.scope("organization"),
  },
});
`,
  };
  await inProject(project, async ({ adopt, files }) => {
    const { code, err } = await adopt("--write");
    assertEquals(code, 0);
    assertStringIncludes(
      (await files())[CONFIG] ?? "",
      'defineDatabase("libsql", { generateId: "prefixed", namingConvention: "camelCase" })',
    );
    // The other tables of the state are defined nowhere: their author says what becomes of them.
    assertStringIncludes(err, "MIGRATION_DROPS_TABLE");
    assert(!err.includes("MIGRATION_RENAME_OR_DROP"), err);
  });
});

const SIX = await olderProject(6);
const JOURNAL = "quickback/drizzle/features/meta/_journal.json";
const SNAPSHOT = "quickback/drizzle/features/meta/0001_snapshot.json";

const WRONG: readonly (readonly [what: string, files: RawFiles, told: string])[] = [
  ["no project", { "readme.md": "nothing" }, "holds no project: it has neither"],
  [
    "the folder inside",
    { "quickback.config.ts": "export default {};", "features/a/a.ts": "export {};" },
    "is a project's quickback/ folder, or has no definitions; name the folder that holds it",
  ],
  ["a damaged snapshot", { ...SIX, [SNAPSHOT]: "{" }, `${SNAPSHOT} is no snapshot of drizzle-kit`],
  [
    "a snapshot of an unknown version",
    { ...SIX, [SNAPSHOT]: '{"version":"9","dialect":"sqlite"}' },
    `${SNAPSHOT} is of version 9, and 6 and 7 can be read`,
  ],
  ["a damaged journal", { ...SIX, [JOURNAL]: "[]" }, `${JOURNAL} is no journal of drizzle-kit`],
  [
    "two files for one place",
    { ...SIX, "quickback/features/labels/labels.ts": "export {};\n" },
    "quickback/definitions/features/labels.ts and quickback/features/labels/labels.ts are both to be quickback/features/labels/labels.ts: rename one of them",
  ],
  [
    "a file that is no TypeScript",
    { ...SIX, "quickback/lib/broken.ts": "const = 1;" },
    "quickback/lib/broken.ts: Unexpected token",
  ],
];

for (const [what, wrong, told] of WRONG) {
  Deno.test(`adopt refuses ${what} and writes nothing`, () =>
    inProject(wrong, async ({ adopt, files }) => {
      const before = await files();
      const { code, err } = await adopt("--write");
      assertEquals([code, await files()], [1, before]);
      assertStringIncludes(err, told);
    }));
}
