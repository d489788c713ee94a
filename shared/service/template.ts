/** A template of the build service. */
import type { RawFiles } from "../compiler/mod.ts";

export interface Template {
  readonly name: string;
  /** A `project` can be compiled. A `runtime` becomes part of outputs. */
  readonly kind: "project" | "runtime";
  readonly title: string;
  readonly description: string;
  /** `providers.runtime` of its configuration. */
  readonly runtime: string;
  readonly files: RawFiles;
}
