/** Corrections that the editor offers at a finding: what the hint names, in the place of what was written. */
import { javascript } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { assert, assertEquals } from "@std/assert";
import { formsOf, hintFixes } from "../../../playground/browser/quick_fixes.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import {
  ACTION_FORMS,
  BUILDER_FORMS,
  CONFIG_FORMS,
  MODIFIER_FORMS,
  RESOURCE_FORMS,
} from "../../../shared/compiler/phases/4-analyze/read/other_words.ts";

const CONFIG = "quickback/quickback.config.ts";
const NOTES = "quickback/features/notes/notes.ts";
const CLOSE = "quickback/features/notes/actions/close.ts";

const config = (key = "") =>
  `import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "notes",${key}
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql"),
    auth: defineAuth("better-auth"),
  },
});
`;

const notes = ({ column = "q.text()", key = "", access = 'roles: ["AUTHENTICATED"]' } = {}) =>
  `import { feature, q } from "quickback";

export default feature("notes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: ${column},
  },${key}
  guards: { createable: ["title"] },
  read: { access: { ${access} } },
});
`;

const close = (key: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Close it",
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  ${key}
  execute: () => Promise.resolve({ success: true }),
});
`;

function project(edited: Readonly<Record<string, string>>) {
  return { [CONFIG]: config(), [NOTES]: notes(), ...edited };
}

/** Findings of the files, errors first. */
function findingsOf(files: Readonly<Record<string, string>>) {
  const result = validate(files, undefined, { actionInputSchemas: {}, readsSchemas: true });
  const found = [...result.ok ? [] : result.errors, ...result.warnings];
  return found.map(({ place, ...rest }) => ({ ...rest, ...place }));
}

/** The text with the first correction of the finding, and all titles. */
function corrected(files: Readonly<Record<string, string>>, code: string) {
  const finding = findingsOf(files).find((one) => one.code === code);
  assert(finding, `No ${code} in ${JSON.stringify(findingsOf(files))}`);
  const doc = files[finding.file] ?? "";
  const state = EditorState.create({ doc, extensions: javascript({ typescript: true }) });
  const fixes = hintFixes(finding, state);
  const [first] = fixes;
  return {
    finding,
    titles: fixes.map(({ title }) => title),
    text: first ? state.update({ changes: first.edit }).newDoc.toString() : null,
  };
}

Deno.test("a hint's forms are read out of its sentence", () => {
  assertEquals(formsOf('Did you mean "title"?'), ['"title"']);
  assertEquals(formsOf("There are q.id(), q.int() and 3 more"), ["q.id()", "q.int()"]);
  assertEquals(formsOf("Write q.int() for whole numbers, q.real() for others"), [
    "q.int()",
    "q.real()",
  ]);
  assertEquals(formsOf("Write .immutable(): it is set once; or leave it out of it"), [
    ".immutable()",
  ]);
  assertEquals(formsOf("Write the conditions side by side: all of them bind"), []);
  assertEquals(formsOf("Keep one of the two"), []);
});

const BUILDERS = Object.entries(BUILDER_FORMS).filter(([, form]) => /^Write q\./.test(form));

for (const [word, form] of BUILDERS) {
  Deno.test(`q.${word}() becomes what its hint names`, () => {
    const files = project({ [NOTES]: notes({ column: `q.${word}()` }) });
    const { text, titles } = corrected(files, "COLUMN_BUILDER");
    const [first = ""] = formsOf(form);
    assertEquals(titles[0], `Write ${first}`);
    assert(text?.includes(`title: ${first},`), text ?? "no correction");
    const codes = findingsOf(project({ [NOTES]: text ?? "" })).map(({ code }) => code);
    assert(!codes.includes("COLUMN_BUILDER") && !codes.includes("SYNTAX_ERROR"), String(codes));
  });
}

const MODIFIERS = Object.entries(MODIFIER_FORMS).filter(([, form]) => /^Write \./.test(form));

for (const [word, form] of MODIFIERS) {
  Deno.test(`.${word}() becomes what its hint names`, () => {
    const files = project({ [NOTES]: notes({ column: `q.text().${word}()` }) });
    const { text } = corrected(files, "MODIFIER_UNKNOWN");
    assert(text?.includes(`title: q.text()${formsOf(form)[0]},`), text ?? "no correction");
    const codes = findingsOf(project({ [NOTES]: text ?? "" })).map(({ code }) => code);
    assert(!codes.includes("MODIFIER_UNKNOWN") && !codes.includes("SYNTAX_ERROR"), String(codes));
  });
}

const KEYS = [
  ...Object.entries(CONFIG_FORMS).map(([word, form]) => ({
    word,
    form,
    files: project({ [CONFIG]: config(`\n  ${word}: {},`) }),
  })),
  ...Object.entries(RESOURCE_FORMS).map(([word, form]) => ({
    word,
    form,
    files: project({ [NOTES]: notes({ key: `\n  ${word}: {},` }) }),
  })),
  ...Object.entries(ACTION_FORMS).map(([word, form]) => ({
    word,
    form,
    files: project({ [CLOSE]: close(`${word}: {},`) }),
  })),
].filter(({ form }) => /^Write \w+: /.test(form));

for (const { word, form, files } of KEYS) {
  Deno.test(`the key ${word} becomes "${form}"`, () => {
    const { text, finding, titles } = corrected(files, "UNKNOWN_KEY");
    assert(text, `No correction for "${finding.hint}"`);
    assert(titles[0]?.startsWith("Write "));
    const after = findingsOf({ ...files, [finding.file]: text });
    assert(!after.some(({ code }) => code === "SYNTAX_ERROR"), text);
    assert(!after.some(({ code, line }) => code === "UNKNOWN_KEY" && line === finding.line), text);
  });
}

Deno.test("a misspelt name takes the near one and keeps its arguments", () => {
  const files = project({ [NOTES]: notes({ column: "q.texx({ maxLength: 20 }).requird()" }) });
  assert(corrected(files, "COLUMN_BUILDER").text?.includes("q.text({ maxLength: 20 }).requird()"));
  const modifier = project({ [NOTES]: notes({ column: "q.text({ maxLength: 20 }).requird()" }) });
  const { text } = corrected(modifier, "MODIFIER_UNKNOWN");
  assert(text?.includes("q.text({ maxLength: 20 }).required()"), text ?? "no correction");
});

Deno.test("a misspelt column in a list stays a text", () => {
  const files = project({ [NOTES]: notes().replace('["title"]', '["titel"]') });
  const [finding] = findingsOf(files);
  assert(corrected(files, finding?.code ?? "").text?.includes('createable: ["title"]'));
});

Deno.test("a hint that names no form corrects nothing", () => {
  const files = project({ [NOTES]: notes({ column: "q.text().optional().required()" }) });
  assertEquals(corrected(files, "COLUMN_NULLABILITY").titles, []);
});
