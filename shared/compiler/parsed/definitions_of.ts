/** Turns parsed input into definitions, in the place of phases 2 and 3 (contract 4.8). */
import type { SourceFile } from "../phases/1-read/source_file.ts";
import type { AuthoredFile, CodeFile, Definition, Definitions } from "../phases/values.ts";
import { carriedTexts, migrationTexts, wranglerText } from "../phases/3-evaluate/texts.ts";
import type { ParsedProject } from "./parsed_project.ts";

/** The definitions that phase 3 would have made of the sources; the project was checked against its own files. */
export function definitionsOf(sources: readonly SourceFile[], parsed: ParsedProject): Definitions {
  const defined = (source: SourceFile) => definitionOf(source, parsed);
  const config = sources.find(({ role }) => role.kind === "config");
  return {
    config: config === undefined ? null : defined(config)[0] ?? null,
    tables: sources.flatMap((source) => {
      const { role } = source;
      return role.kind === "table"
        ? defined(source).map((one) => ({ ...one, feature: role.feature }))
        : [];
    }),
    actions: sources.flatMap((source) => {
      const { role } = source;
      return role.kind === "action"
        ? defined(source).map((one) => ({ ...one, feature: role.feature, table: role.table }))
        : [];
    }),
    authored: sources.flatMap(({ path }) => authoredOf(path, parsed)),
    code: new Map(
      sources.flatMap((source) => codeOf(source, parsed).map((code) => [source.path, code])),
    ),
    carried: carriedTexts(sources),
    migrationState: migrationTexts(sources),
    wrangler: wranglerText(sources),
    unparsed: new Set(),
  };
}

function definitionOf({ path, text }: SourceFile, parsed: ParsedProject): readonly Definition[] {
  const found = Object.hasOwn(parsed.definitions, path) ? parsed.definitions[path] : undefined;
  if (found === undefined) return [];
  const bindings = new Map(found.bindings.map(({ name, value }) => [name, value]));
  return [{ file: path, bindings, defaultExport: found.defaultExport, text }];
}

function codeOf({ path, text }: SourceFile, parsed: ParsedProject): readonly CodeFile[] {
  const found = Object.hasOwn(parsed.code, path) ? parsed.code[path] : undefined;
  if (found === undefined) return [];
  const { exports, locals, symbols, ...facts } = found;
  return [{
    file: path,
    text,
    ...facts,
    exports: new Set(exports),
    locals: new Set(locals),
    symbols: new Set(symbols),
  }];
}

function authoredOf(path: string, { authored }: ParsedProject): readonly AuthoredFile[] {
  if (!Object.hasOwn(authored, path)) return [];
  return [{ file: path, isParsed: true, exported: authored[path] ?? null }];
}
