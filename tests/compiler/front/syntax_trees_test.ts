/** What is kept of earlier compiles: unchanged files are not parsed again, and nothing else changes. */
import { assertEquals } from "@std/assert";
import { compile, SyntaxTrees } from "../../../shared/compiler/mod.ts";
import { atOnce } from "../../../shared/lib/steps.ts";
import { Report } from "../../../shared/compiler/diagnostics/report.ts";
import { read } from "../../../shared/compiler/phases/1-read/read.ts";
import { parse } from "../../../shared/compiler/phases/2-parse/parse.ts";
import { BARE_HOST, projectFiles } from "../../support/sample_files.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
const CONFIG = "quickback/quickback.config.ts";
const HELPDESK = await projectFiles(new URL("helpdesk/", EXAMPLES));

Deno.test("a changed file is parsed again, and no other", () => {
  const trees = new SyntaxTrees();
  const programs = (files: Readonly<Record<string, string>>) => {
    const report = new Report();
    const modules = atOnce(parse(read(files, report), report, trees));
    return new Map(modules.map(({ source, program }) => [source.path, program]));
  };
  const first = programs(HELPDESK);
  const next = programs({ ...HELPDESK, [CONFIG]: `${HELPDESK[CONFIG]}\n` });
  for (const [path, program] of next) {
    assertEquals(program === first.get(path), path !== CONFIG, path);
  }
});

Deno.test("a file with mistakes tells them every time", () => {
  const trees = new SyntaxTrees();
  const files = { ...HELPDESK, [CONFIG]: "export default {" };
  const [first, again] = [
    compile(files, BARE_HOST, { trees }),
    compile(files, BARE_HOST, { trees }),
  ];
  assertEquals(first.ok, false);
  assertEquals(again, first);
});

for (const { name } of Deno.readDirSync(EXAMPLES)) {
  Deno.test(`example '${name}' compiles to the same bytes from kept trees`, async () => {
    const files = await projectFiles(new URL(`${name}/`, EXAMPLES));
    const trees = new SyntaxTrees();
    const fresh = compile(files, BARE_HOST);
    for (let turn = 0; turn < 3; turn++) {
      assertEquals(compile(files, BARE_HOST, { trees }), fresh);
    }
  });
}

Deno.test("what one owner's compiles left, another's do not meet", () => {
  const trees = new SyntaxTrees();
  let parsed = 0;
  const parseOnce = () => {
    parsed += 1;
    const report = new Report();
    return atOnce(parse(read({ [CONFIG]: "" }, report), report))[0]?.program ?? null;
  };
  for (const owner of ["one", "other", "one", "other"]) {
    trees.of(owner).get(CONFIG, "", parseOnce);
  }
  trees.get(CONFIG, "", parseOnce);
  assertEquals(parsed, 3);
});

Deno.test("the number of kept characters has an end", () => {
  const trees = new SyntaxTrees(30);
  let parsed = 0;
  const program = () => {
    parsed += 1;
    const report = new Report();
    return atOnce(parse(read({ [CONFIG]: "" }, report), report))[0]?.program ?? null;
  };
  for (const path of ["a", "b", "c", "c", "b", "a"]) trees.get(path, "x".repeat(10), program);
  assertEquals(parsed, 4);
  trees.get("d", "x".repeat(40), program);
  trees.get("d", "x".repeat(40), program);
  assertEquals(parsed, 6);
});
