/** A template of the build service. */
import type { RawFiles } from "../compiler/mod.ts";

export interface Template {
  readonly name: string;
  /** `/compile` takes the files of a project; those of a runtime stand in outputs. */
  readonly kind: "project" | "runtime";
  readonly title: string;
  readonly description: string;
  /** `providers.runtime` of its configuration. */
  readonly runtime: string;
  readonly files: RawFiles;
}
