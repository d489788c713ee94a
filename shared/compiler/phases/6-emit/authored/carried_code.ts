/**
 * An author's file as it stands in the output: its text, with imports that lead to where things are there, and with each
 * table's declaration replaced by the generated table.
 */
import { typescriptString } from "../../../../lib/typescript_text.ts";
import type { FileOrigin, GeneratedFile } from "../../../host.ts";
import type { SpecPlan } from "../../5-plan/output_plan.ts";
import type { CodeFile, CodeImport, TextRange } from "../../values.ts";
import { authoredPath, schemaPath, specifierTo } from "./output_paths.ts";

interface CarriedOptions {
  /** The module that this file gets as `quickback`; null: the one that everybody gets. */
  readonly authoring: string | null;
  /** The table that the file declares. */
  readonly spec: SpecPlan | null;
}

interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

export function carriedCode(
  file: CodeFile,
  { authoring, spec }: CarriedOptions,
): Required<GeneratedFile> {
  const path = authoredPath(file.file);
  const imports = file.imports.flatMap((one): Edit[] => {
    const specifier = specifierOf(one, { path, authoring });
    return specifier === null ? [] : [{ range: one.range, text: typescriptString(specifier) }];
  });
  if (spec === null) return edited(file, withWebhookEvents(file, { path, edits: imports }));
  const name = freeName(file.locals);
  const calls = file.tableCalls.map((range): Edit => ({ range, text: name }));
  // Imports inside a declaration that is replaced are gone with it.
  const outside = imports.filter(({ range }) => !calls.some((call) => contains(call.range, range)));
  const module = specifierTo(`src/schema/${spec.fileName}.ts`, path);
  const first = `import { ${spec.identifier} as ${name} } from ${typescriptString(module)};\n`;
  const last = file.exports.has(spec.table.name)
    ? ""
    : `\nexport { ${name} as ${spec.table.name} };\n`;
  return edited(file, { path, edits: [...outside, ...calls], first, last });
}

/** Each `onWebhookEvent(…)` becomes an export that `src/services.ts` gathers. */
function withWebhookEvents(file: CodeFile, { path, edits }: Edits): Edits {
  const { webhookEvents } = file;
  const begun = webhookEvents.flatMap(({ binding }, index): Edit[] => {
    if (binding.kind !== "statement") return [];
    const { start } = binding.range;
    return [{ range: { start, end: start }, text: `export const ${eventExport(file, index)} = ` }];
  });
  const last = webhookEvents.flatMap(({ binding }, index) =>
    binding.kind === "constant"
      ? [`\nexport { ${binding.name} as ${eventExport(file, index)} };\n`]
      : []
  );
  return { path, edits: [...begun, ...edits], last: last.join("") };
}

/** The export under which a file's `onWebhookEvent(…)` is found. */
export function eventExport({ webhookEvents, locals, exports }: CodeFile, index: number): string {
  if (webhookEvents[index]?.binding.kind === "default") return "default";
  let name = `webhookEvent${index + 1}`;
  while (locals.has(name) || exports.has(name)) name = `${name}_`;
  return name;
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

interface Edits {
  readonly path: string;
  /** Their ranges do not overlap. */
  readonly edits: readonly Edit[];
  /** Text before and after the author's. */
  readonly first?: string;
  readonly last?: string;
}

function edited(
  { file, text }: CodeFile,
  { path, edits, first = "", last = "" }: Edits,
): Required<GeneratedFile> {
  const pieces: FileOrigin["pieces"][number][] = [];
  let [content, source] = [first, 0];
  const keep = (end: number) => {
    pieces.push({ output: content.length, source, length: end - source });
    content += text.slice(source, end);
  };
  for (const { range, text: replacement } of edits.toSorted(byStart)) {
    keep(range.start);
    content += replacement;
    source = range.end;
  }
  keep(text.length);
  return { path, content: content + last, origin: { file, text, pieces } };
}

function byStart(a: Edit, b: Edit): number {
  return a.range.start - b.range.start;
}
