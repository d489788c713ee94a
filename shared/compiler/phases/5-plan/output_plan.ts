/** Input of phase 6: the model, a place and a name for each of its tables, and the files that are copied as they are. */
import { authoredModules, type ProjectModel, type TableSpec } from "../../../model/mod.ts";
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import type { GeneratedFile, RawFiles } from "../../host.ts";
import type { DenoLock } from "../../lock/deno_lock.ts";
import type { CodeFile, Definitions } from "../values.ts";

/** Names of generated files and constants: readable, unique, and never a word that TypeScript or a file keeps for itself. */
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
  /** Sorted by table name. */
  readonly specs: readonly SpecPlan[];
  readonly migration: readonly GeneratedFile[];
  readonly authored: AuthoredPlan;
  /** Additional files of the platform. */
  readonly platform: readonly GeneratedFile[];
  /** Source of its runtime: built modules beside carried sources, those sources alone, or the package. */
  readonly runtimeFrom: "built" | "sources" | "package";
  /** Carried as they are: the template, and a runtime that is carried. */
  readonly carried: RawFiles;
  /** npm specifiers by bare name, the author's dependencies included. */
  readonly imports: Readonly<Record<string, string>>;
  /** The locked packages behind the runtime's specifiers. */
  readonly lock: DenoLock;
}

/**
 * Selects the author's files for the output: actions, services and the like with all they import, and support code
 * (definitions 1, 5, 6).
 */
interface AuthoredPlan {
  /** Sorted by path; table files among them stand for their generated tables. */
  readonly code: readonly CodeFile[];
  /** Files that are no code, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Features whose `schema` is imported, with the table files that it gathers, sorted. */
  readonly schemas: ReadonlyMap<string, readonly CodeFile[]>;
  /** Table files by path, each with its table's name. */
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

/** Support code, and what it reads by path: in the output whether anything imports it or not (definitions 1, 6). */
const CARRIED = /^quickback\/(?:(?:lib|plugins|email-templates)|features\/[^/]+\/lib)\//;

/** A logo stands in the model; its text here is a `data:` URL, which is no file's. */
const IMAGE = /^quickback\/email-templates\/.*\.png$/;

interface Reached {
  readonly files: Set<string>;
  readonly features: Set<string>;
}

function tableFiles(feature: string, { tables, code }: Definitions): readonly CodeFile[] {
  return tables.filter((table) => table.feature === feature)
    .flatMap(({ file }) => code.get(file) ?? []);
}
