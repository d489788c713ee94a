/**
 * A project as it stands after phase 3, as JSON: its files' texts and what was read out of them (contract 4.8, "parsed
 * compiler input"). Paths give the roles, as they do for raw files.
 */
import type { RawFiles } from "../host.ts";
import type { AuthoredExport, CodeFile, Definition, Definitions, Value } from "../phases/values.ts";

export const PARSED_VERSION = 1;

export interface ParsedProject {
  readonly version: typeof PARSED_VERSION;
  /** Every file, by path. */
  readonly files: RawFiles;
  /** The values of the configuration, of table files and of action files, by path. */
  readonly definitions: Readonly<Record<string, ParsedDefinition>>;
  /** Imports, exports and declarations of every code file but the configuration, by path. */
  readonly code: Readonly<Record<string, ParsedCode>>;
  /** The default exports of code in `services/`, `middlewares/`, `hooks/` and `plugins/`, by path. */
  readonly authored: Readonly<Record<string, AuthoredExport | null>>;
}

export interface ParsedDefinition {
  /** Top-level constants in source order. */
  readonly bindings: readonly { readonly name: string; readonly value: Value }[];
  readonly defaultExport: Value | null;
}

export interface ParsedCode
  extends Pick<CodeFile, "imports" | "tableCalls" | "rawSql" | "webhookEvents"> {
  readonly exports: readonly string[];
  readonly locals: readonly string[];
  readonly symbols: readonly string[];
}

/** The JSON form of what phase 3 made of these files; none of them may have had an error. */
export function parsedProjectOf(files: RawFiles, definitions: Definitions): ParsedProject {
  const { config, tables, actions, code, authored } = definitions;
  const defined = [...(config === null ? [] : [config]), ...tables, ...actions];
  return {
    version: PARSED_VERSION,
    files,
    definitions: Object.fromEntries(defined.map((one) => [one.file, parsedDefinition(one)])),
    code: Object.fromEntries([...code].map(([path, file]) => [path, parsedCode(file)])),
    authored: Object.fromEntries(authored.map(({ file, exported }) => [file, exported])),
  };
}

function parsedDefinition({ bindings, defaultExport }: Definition): ParsedDefinition {
  return { bindings: [...bindings].map(([name, value]) => ({ name, value })), defaultExport };
}

function parsedCode({ exports, locals, symbols, ...rest }: CodeFile): ParsedCode {
  const { imports, tableCalls, rawSql, webhookEvents } = rest;
  return {
    imports,
    tableCalls,
    rawSql,
    webhookEvents,
    exports: [...exports],
    locals: [...locals],
    symbols: [...symbols],
  };
}
