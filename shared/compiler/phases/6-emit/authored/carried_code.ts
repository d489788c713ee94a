/**
 * An author's file as it stands in the output: its text, with imports that lead to where things are there, and with each
 * table's declaration replaced by the generated table.
 */
import { typescriptString } from "../../../../lib/typescript_string.ts";
import type { SpecPlan } from "../../5-plan/output_plan.ts";
import type { CodeFile, CodeImport, TextRange } from "../../values.ts";
import { authoredPath, schemaPath, specifierTo } from "./output_paths.ts";

export interface CarriedOptions {
  /** The module that this file gets as `quickback`; null: the one that everybody gets. */
  readonly authoring: string | null;
  /** The table that the file declares. */
  readonly spec: SpecPlan | null;
}

interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

export function carriedCode(file: CodeFile, { authoring, spec }: CarriedOptions): string {
  const path = authoredPath(file.file);
  const imports = file.imports.flatMap((one): Edit[] => {
    const specifier = specifierOf(one, { path, authoring });
    return specifier === null ? [] : [{ range: one.range, text: typescriptString(specifier) }];
  });
  if (spec === null) return edited(file.text, imports);
  const name = freeName(file.locals);
  const calls = file.tableCalls.map((range): Edit => ({ range, text: name }));
  // Imports inside a declaration that is replaced are gone with it.
  const outside = imports.filter(({ range }) => !calls.some((call) => contains(call.range, range)));
  const module = specifierTo(`src/schema/${spec.fileName}.ts`, path);
  const first = `import { ${spec.identifier} as ${name} } from ${typescriptString(module)};\n`;
  const last = file.exports.has(spec.table.name)
    ? ""
    : `\nexport { ${name} as ${spec.table.name} };\n`;
  return first + edited(file.text, [...outside, ...calls]) + last;
}

function specifierOf(
  { target }: CodeImport,
  { path, authoring }: { readonly path: string; readonly authoring: string | null },
): string | null {
  switch (target.kind) {
    case "file":
      return specifierTo(authoredPath(target.file), path);
    case "schema":
      return specifierTo(schemaPath(target.feature), path);
    case "authoring":
      return authoring === null ? null : specifierTo(authoring, path);
    default:
      return null;
  }
}

/** A name for the generated table that the file does not use. */
function freeName(locals: ReadonlySet<string>): string {
  let name = "generatedTable";
  while (locals.has(name)) name = `${name}_`;
  return name;
}

function contains(outer: TextRange, inner: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The ranges do not overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => a.range.start - b.range.start);
  const starts = [0, ...sorted.map(({ range }) => range.end)];
  const pieces = sorted.map(({ range, text: replacement }, index) =>
    text.slice(starts[index], range.start) + replacement
  );
  return pieces.join("") + text.slice(starts.at(-1));
}
