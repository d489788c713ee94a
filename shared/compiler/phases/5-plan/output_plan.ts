/**
 * Defines the input of phase 6: the model, a file and a name for each of its tables, and the files that are copied unchanged.
 */
import { authoredModules, type ProjectModel, type TableSpec } from "../../../model/mod.ts";
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import type { GeneratedFile, RawFiles } from "../../host.ts";
import type { DenoLock } from "../../lock/deno_lock.ts";
import type { CodeFile, Definitions } from "../values.ts";

/**
 * Names of a table's generated file and constant. They are readable, unique, and never reserved by TypeScript or the output.
 */
export interface SpecNames {
  /** File name without ending, unique in its folder: `ats-imports`. */
  readonly fileName: string;
  /** Name of the generated constant, unique in the project and free of reserved words: `atsImports`. */
  readonly identifier: string;
}

export type SpecPlan = TableSpec & SpecNames;

export interface OutputPlan {
  readonly model: ProjectModel;
  readonly places: DefinitionPlaces;
  /** Tables with their names, sorted by table name. */
  readonly specs: readonly SpecPlan[];
  readonly migration: readonly GeneratedFile[];
  readonly authored: AuthoredPlan;
  /** Additional files of the platform. */
  readonly platform: readonly GeneratedFile[];
  /** Source of the output's runtime: built modules beside copied sources, those sources alone, or the package. */
  readonly runtimeFrom: "built" | "sources" | "package";
  /** Files that are copied unchanged: the template, and a runtime that is part of the output. */
  readonly carried: RawFiles;
  /** npm specifiers by bare name, the author's dependencies included. */
  readonly imports: Readonly<Record<string, string>>;
  /** The locked packages of the runtime's specifiers. */
  readonly lock: DenoLock;
}

/**
 * Selects the author's files for the output: actions, services and the like with all they import, and support code (definitions
 * 1, 5, 6).
 */
interface AuthoredPlan {
  /** Files sorted by path. A table file among them becomes its generated table. */
  readonly code: readonly CodeFile[];
  /** Files that are no code, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Features whose `schema` is imported, with the table files that it gathers, sorted. */
  readonly schemas: ReadonlyMap<string, readonly CodeFile[]>;
  /** Names of tables by the path of their file. */
  readonly tables: ReadonlyMap<string, string>;
}

export function planAuthored(model: ProjectModel, definitions: Definitions): AuthoredPlan {
  const reached: Reached = { files: new Set(), features: new Set() };
  const verifiers = model.auth.principals.map(({ module }) => module);
  const pending = [
    ...model.actions.flatMap(({ source, handler }) => [
      source.module,
      ...(handler?.kind === "module" ? [handler.module] : []),
    ]),
    ...authoredModules(model.authored, verifiers),
    ...[...definitions.carried.keys()].filter((path) => CARRIED.test(path) && !IMAGE.test(path)),
  ];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.files.has(path)) continue;
    reached.files.add(path);
    for (const { target } of definitions.code.get(path)?.imports ?? []) {
      if (target.kind === "file") pending.push(target.file);
      if (target.kind !== "schema") continue;
      reached.features.add(target.feature);
      pending.push(...tableFiles(target.feature, definitions).map(({ file }) => file));
    }
  }
  const schemas = [...reached.features].sort().map((feature) =>
    [feature, tableFiles(feature, definitions)] as const
  );
  return {
    code: [...reached.files].sort().flatMap((path) => definitions.code.get(path) ?? []),
    texts: new Map(
      [...reached.files].sort().flatMap((path) => {
        const text = definitions.code.has(path) ? undefined : definitions.carried.get(path);
        return text === undefined ? [] : [[path, text] as const];
      }),
    ),
    schemas: new Map(schemas),
    tables: new Map(model.tables.map((table) => [table.origin.file, table.name])),
  };
}

/**
 * Matches support code and the files that it reads by path. The output contains them even if nothing imports them (definitions
 * 1, 6).
 */
const CARRIED = /^quickback\/(?:(?:lib|plugins|email-templates)|features\/[^/]+\/lib)\//;

/** Matches an image. The model contains a logo, and its text here is a `data:` URL that belongs in no file. */
const IMAGE = /^quickback\/email-templates\/.*\.png$/;

interface Reached {
  readonly files: Set<string>;
  readonly features: Set<string>;
}

function tableFiles(feature: string, { tables, code }: Definitions): readonly CodeFile[] {
  return tables.filter((table) => table.feature === feature)
    .flatMap(({ file }) => code.get(file) ?? []);
}
