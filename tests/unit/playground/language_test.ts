/** The language service of the playground's editor, on the helpdesk as somebody edits it. */
import { assert, assertEquals } from "@std/assert";
import { editorLibrary } from "../../../cli/types/editor_library.ts";
import { readProjectFolder } from "../../../cli/project_folder.ts";
import { Language } from "../../../playground/browser/language/language.ts";
import { editorTypes, validate } from "../../../shared/compiler/mod.ts";

const TICKETS = "quickback/features/tickets/tickets.ts";
const RESOLVE = "quickback/features/tickets/actions/resolve.ts";

/** With code of its own; the example's actions have none. */
const HANDLER = `import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Resolve a ticket",
  input: z.object({ note: z.string() }),
  access: { roles: ["agent+"] },
  execute: async ({ record, input, db }) => {
    await Promise.resolve(input.note);
    return { success: true };
  },
});
`;

async function helpdesk() {
  const { rawFiles } = await readProjectFolder("examples/helpdesk");
  const files: Readonly<Record<string, string>> = { ...rawFiles, [RESOLVE]: HANDLER };
  const result = validate(files, undefined, { actionInputSchemas: {}, readsSchemas: true });
  assert(result.ok);
  const declarations = editorTypes(result).map(({ path, content }) =>
    [`.quickback/${path}`, content] as const
  );
  const language = new Language(editorLibrary());
  language.setDefinitions(files);
  language.setDeclarations(Object.fromEntries(declarations));
  return { language, files };
}

Deno.test("the language service knows the project's words and types", async (t) => {
  const { language, files } = await helpdesk();
  const [tickets, resolve] = [files[TICKETS] ?? "", files[RESOLVE] ?? ""];
  /** Place behind the text, in a file that may be edited for the question. */
  const after = (path: string, text: string, edited = files[path] ?? "") => {
    language.edit(path, edited);
    const index = edited.indexOf(text);
    assert(index >= 0, `"${text}" is not in ${path}`);
    return { path, at: index + text.length };
  };
  const labels = (spot: { path: string; at: number }) =>
    language.completions(spot)?.options.map(({ label }) => label) ?? [];

  await t.step("a right project has no mistake of types", () => {
    for (const path of Object.keys(files).filter((one) => one.endsWith(".ts"))) {
      assertEquals(language.mistakes(path), [], path);
    }
  });

  await t.step("completion offers columns' builders, keys and a role", () => {
    assert(labels(after(TICKETS, "id: q.")).includes("timestamp"));
    const open = tickets.replace("\n  guards: {", "\n  \n  guards: {");
    language.edit(TICKETS, open);
    const keys = labels({ path: TICKETS, at: open.indexOf("\n  \n  guards") + 3 });
    assert(keys.includes("masking"), String(keys));
    const roles = labels(
      after(TICKETS, 'roles: ["', tickets.replace('roles: ["agent+"', 'roles: [""')),
    );
    assert(roles.includes("agent+"), String(roles));
  });

  await t.step("completion in a handler offers the record's columns", () => {
    const edited = resolve.replace("=> {", "=> {\n  record.");
    const found = labels(after(RESOLVE, "\n  record.", edited));
    assert(found.includes("assigneeId"), String(found));
  });

  await t.step("a hover and a completion say what something is", () => {
    const found = language.hover(after(TICKETS, "q.tex"));
    assert(found?.signature.includes("ColumnBuilder"), found?.signature);
    const about = language.describe(after(TICKETS, "id: q."), "bool");
    assertEquals(about?.text, "A boolean.");
  });

  await t.step("a call shows its parameters, and the one at the cursor", () => {
    const found = language.signature(after(TICKETS, "subject: q.text("));
    assertEquals(found?.parameters.length, 1);
    assertEquals(found?.active, 0);
    // The resource around it is a call as well, over many lines.
    assertEquals(language.signature(after(TICKETS, "id: q.id(),")), null);
  });

  await t.step("an imported table leads to the definition that it was made from", () => {
    const found = language.definition(after(TICKETS, "() => custom"));
    assertEquals(found?.path, "quickback/features/customers/customers.ts");
  });

  await t.step("a rename reaches the other files, and refuses what nobody wrote here", () => {
    const edits = language.rename(after(TICKETS, "import custom"), "clients");
    assertEquals(Object.keys(edits ?? {}), [TICKETS]);
    assert((edits?.[TICKETS]?.length ?? 0) >= 2);
    assertEquals(language.renamed(after(TICKETS, "q.te")), null);
  });

  await t.step("a rename goes through imports, and keeps the key of a shorthand", () => {
    const words = "quickback/lib/words.ts";
    language.edit(words, 'export const WORD = "note";\n');
    const edited = 'import { WORD } from "../../../lib/words.ts";\nexport const all = { WORD };\n';
    const edits = language.rename(after(RESOLVE, "{ WOR", edited), "PHRASE");
    assertEquals(edits?.[words]?.map(({ insert }) => insert), ["PHRASE"]);
    assertEquals(edits?.[RESOLVE]?.map(({ insert }) => insert), ["PHRASE", "WORD: PHRASE"]);
    language.setDefinitions(files);
  });

  await t.step("a mistake of types has a place and a correction", () => {
    language.edit(RESOLVE, resolve.replace("=> {", "=> {\n  await Promise.resolv();"));
    const [mistake] = language.mistakes(RESOLVE);
    assert(mistake && mistake.message.includes("'resolv'"), JSON.stringify(mistake));
    const fixes = language.fixes(RESOLVE, mistake);
    const edits = fixes.flatMap((fix) => fix.edits[RESOLVE] ?? []);
    assert(edits.some(({ insert }) => insert.includes("resolve")), JSON.stringify(fixes));
    language.edit(RESOLVE, resolve);
  });

  await t.step("format indents by two", () => {
    language.edit(TICKETS, tickets.replace("    id: q.id()", "id:q.id( )"));
    const inserts = language.format(TICKETS)[TICKETS]?.map(({ insert }) => insert) ?? [];
    assert(inserts.includes("    "), JSON.stringify(inserts));
  });

  await t.step("a new column is a type at once", () => {
    const edited = tickets.replace("id: q.id(),", "id: q.id(),\n    color: q.text(),");
    const result = validate({ ...files, [TICKETS]: edited }, undefined, {
      actionInputSchemas: {},
      readsSchemas: true,
    });
    assert(result.ok);
    language.edit(TICKETS, edited);
    language.setDeclarations(
      Object.fromEntries(
        editorTypes(result).map(({ path, content }) => [`.quickback/${path}`, content]),
      ),
    );
    const handler = resolve.replace("=> {", "=> {\n  record.");
    assert(labels(after(RESOLVE, "\n  record.", handler)).includes("color"));
  });
});

const LINES = "quickback/features/orders/lines.ts";
const SERVICE = {
  "quickback/quickback.config.ts":
    'import { defineConfig } from "quickback";\nexport default defineConfig({ name: "s" });\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    status: q.text(),
    pieces: q.rollup("lines.order", { sum: "pieces" }),
  },
});
`,
  [LINES]: `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"),
    order: q.text().required().references(() => orders.id),
    previousId: q.text(),
    pieces: q.int({ min: 0, max: 100 }),
    twice: q.computed(q.int(), ({ pieces }) => pieces * 2),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "order", where: { status: "open" } },
  ],
  masking: { pieces: { type: "redact", show: { record: { order: { status: "open" } } } } },
  read: { access: { roles: ["member"], record: { order: { status: "open" } } } },
});
`,
};

Deno.test("rules know the relations of the project, by keys of whatever name", async (t) => {
  const result = validate(SERVICE, undefined, { actionInputSchemas: {}, readsSchemas: true });
  assert(result.ok, JSON.stringify(result));
  const language = new Language(editorLibrary());
  language.setDefinitions(SERVICE);
  language.setDeclarations(
    Object.fromEntries(
      editorTypes(result).map(({ path, content }) => [`.quickback/${path}`, content]),
    ),
  );
  const completed = (from: string, to: string) => {
    const text = SERVICE[LINES].replace(from, to);
    language.edit(LINES, text);
    const at = text.indexOf(to) + to.indexOf("|");
    language.edit(LINES, text.replace("|", ""));
    const options = language.completions({ path: LINES, at })?.options ?? [];
    return options.map(({ label }) => label);
  };
  await t.step("what is right is right", () => {
    for (const path of Object.keys(SERVICE)) assertEquals(language.mistakes(path), [], path);
  });
  await t.step("through, record and show.record complete them", () => {
    const through = completed('{ through: "order", where', '{ through: "|", where');
    assertEquals(through.toSorted(), ["lines.order", "order"]);
    for (const place of ['roles: ["member"], record: {', "show: { record: {"]) {
      const found = completed(`${place} order: { status: "open" } }`, `${place} | }`);
      for (const name of ["order", "lines", "pieces", "or"]) assert(found.includes(name), name);
      assertEquals(found.includes("previous"), false, "A column that refers to nothing");
    }
  });
  await t.step("expressions complete columns", () => {
    const found = completed("({ pieces }) => pieces * 2", "({ pieces, | }) => pieces * 2");
    assert(found.includes("status") && found.includes("twice"), String(found));
  });
  await t.step("a relation that there is not is a mistake of types", () => {
    for (
      const [from, to] of [['through: "order"', 'through: "ordr"'], [
        "show: { record: { order",
        "show: { record: { ordr",
      ]] as const
    ) {
      language.edit(LINES, SERVICE[LINES].replace(from, to));
      assertEquals(language.mistakes(LINES).length, 1, to);
    }
  });
});

Deno.test("the editor's library says how zod's schemas vary, so that no key makes the checker work it out", () => {
  const text = editorLibrary().files["/node_modules/zod/v4/classic/schemas.d.cts"] ?? "";
  const silent = text.split("\n").flatMap((line) => {
    const [, name, parameters = "out "] = /^export interface (Zod\w+)<(.+?)> extends/.exec(line) ??
      [];
    return parameters.startsWith("out ") ? [] : [name];
  });
  assertEquals(silent, []);
  assert(text.includes("export interface ZodOptional<out T extends"));
});
