/**
 * Represents a project after phase 3 as JSON: the texts of its files and the values read from them (contract 4.8, "parsed
 * compiler input"). Paths determine roles, as for raw files.
 */
import type { RawFiles } from "../host.ts";
import type { SourceFile } from "../phases/1-read/layout.ts";
import {
  carriedTexts,
  dataStepTexts,
  migrationTexts,
  wranglerText,
} from "../phases/3-evaluate/texts.ts";
import type * as values from "../phases/values.ts";

export const PARSED_VERSION = 1;

export interface ParsedProject {
  readonly version: typeof PARSED_VERSION;
  /** Texts of all files, by path. */
  readonly files: RawFiles;
  /** The values of the configuration, of table files and of action files, by path. */
  readonly definitions: Readonly<Record<string, ParsedDefinition>>;
  /** Imports, exports and declarations of every code file but the configuration, by path. */
  readonly code: Readonly<Record<string, ParsedCode>>;
  /** The default exports of code in `services/`, `middlewares/`, `hooks/`, `plugins/`, `jobs/` and `schedules/`, by path. */
  readonly authored: Readonly<Record<string, values.AuthoredExport | null>>;
}

export interface ParsedDefinition {
  /** Top-level constants in source order. */
  readonly bindings: readonly { readonly name: string; readonly value: values.Value }[];
  readonly defaultExport: values.Value | null;
  /** Doc comments, as in `Definition.docs`; absent: there are none. */
  readonly docs?: Readonly<Record<string, string>>;
}

export interface ParsedCode
  extends Pick<values.CodeFile, "imports" | "tableCalls" | "rawSql" | "webhookEvents" | "emitted"> {
  /** True if the code uses `db.records`. Absent: false, as from an older sender. */
  readonly namesRecords?: boolean | undefined;
  readonly exports: readonly string[];
  readonly locals: readonly string[];
  readonly symbols: readonly string[];
}

/** Returns the JSON form of phase 3's result for these files; none of them may have had an error. */
export function parsedProjectOf(files: RawFiles, definitions: values.Definitions): ParsedProject {
  const { config, tables, actions, code, authored } = definitions;
  const defined = [...(config === null ? [] : [config]), ...tables, ...actions];
  return {
    version: PARSED_VERSION,
    files,
    definitions: Object.fromEntries(
      defined.map((
        one,
      ) => [one.file, {
        bindings: [...one.bindings].map(([name, value]) => ({ name, value })),
        defaultExport: one.defaultExport,
        ...(one.docs?.size ? { docs: Object.fromEntries(one.docs) } : {}),
      }]),
    ),
    code: Object.fromEntries([...code].map(([path, file]) => [path, parsedCode(file)])),
    authored: Object.fromEntries(authored.map(({ file, exported }) => [file, exported])),
  };
}

function parsedCode({ exports, locals, symbols, ...rest }: values.CodeFile): ParsedCode {
  const { imports, tableCalls, rawSql, webhookEvents, emitted, namesRecords } = rest;
  return {
    imports,
    tableCalls,
    rawSql,
    webhookEvents,
    exports: [...exports],
    locals: [...locals],
    emitted: [...emitted],
    symbols: [...symbols],
    ...(namesRecords ? { namesRecords } : {}),
  };
}

/** Returns the definitions that phase 3 would have made of the sources. The project was checked against its own files. */
export function definitionsOf(
  sources: readonly SourceFile[],
  parsed: ParsedProject,
): values.Definitions {
  const defined = (source: SourceFile) => {
    const { path, text } = source;
    const found = Object.hasOwn(parsed.definitions, path) ? parsed.definitions[path] : undefined;
    if (found === undefined) return [];
    const bindings = new Map(found.bindings.map(({ name, value }) => [name, value]));
    const docs = found.docs && new Map(Object.entries(found.docs));
    const { defaultExport } = found;
    return [{ file: path, bindings, defaultExport, ...(docs ? { docs } : {}), text }];
  };
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
    authored: sources.flatMap(({ path }) => {
      if (!Object.hasOwn(parsed.authored, path)) return [];
      return [{ file: path, isParsed: true, exported: parsed.authored[path] ?? null }];
    }),
    code: new Map(
      sources.flatMap((source) => codeOf(source, parsed).map((code) => [source.path, code])),
    ),
    carried: carriedTexts(sources),
    migrationState: migrationTexts(sources),
    dataSteps: dataStepTexts(sources),
    wrangler: wranglerText(sources),
    unparsed: new Set(),
  };
}

function codeOf({ path, text }: SourceFile, parsed: ParsedProject): readonly values.CodeFile[] {
  const found = Object.hasOwn(parsed.code, path) ? parsed.code[path] : undefined;
  if (found === undefined) return [];
  const { exports, locals, symbols, namesRecords = false, ...facts } = found;
  return [{
    file: path,
    text,
    ...facts,
    namesRecords,
    exports: new Set(exports),
    locals: new Set(locals),
    symbols: new Set(symbols),
  }];
}
