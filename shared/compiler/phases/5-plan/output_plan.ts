/** Input of phase 6: the model, a place and a name for each of its tables, and the files that are copied as they are. */
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { TableSpec } from "../../../model/table_spec.ts";
import type { AuthoredPlan } from "./authored_plan.ts";
import type { GeneratedFile, RawFiles } from "../../host.ts";
import type { DenoLock } from "../../lock/deno_lock.ts";

export interface SpecPlan extends TableSpec {
  /** File name without ending, unique in its folder: `ats-imports`. */
  readonly fileName: string;
  /** Name of the generated constant, unique in the project and free of reserved words: `atsImports`. */
  readonly identifier: string;
}

export interface OutputPlan {
  readonly model: ProjectModel;
  readonly places: DefinitionPlaces;
  /** Sorted by table name. */
  readonly specs: readonly SpecPlan[];
  readonly migration: readonly GeneratedFile[];
  readonly authored: AuthoredPlan;
  /** Additional files of the platform. */
  readonly platform: readonly GeneratedFile[];
  /** Carried as they are: the template and the vendored runtime. */
  readonly carried: RawFiles;
  /** npm specifiers by bare name, the author's dependencies included. */
  readonly imports: Readonly<Record<string, string>>;
  /** The locked packages behind the runtime's specifiers. */
  readonly lock: DenoLock;
}
