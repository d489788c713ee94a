/**
 * Defines the record of a platform that generated projects run on: its requirements of an output, its features and its limits.
 */
import type { Shape } from "../../definition_language/shape.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { Report } from "../diagnostics/report.ts";
import type { GeneratedFile } from "../host.ts";
import type { Definitions } from "../phases/values.ts";

export interface Target {
  /** Name of the platform in messages. */
  readonly title: string;
  /** The module that the platform loads first; path in the output. */
  readonly entry: string;
  /** Conditions that select among the alternatives in a package's `exports`. */
  readonly conditions: readonly string[];
  /** True if the platform has the module `module` of `node:module`. */
  readonly runsNodeModule: (module: string) => boolean;
  /** True if the platform has this member of the global `Deno`. */
  readonly hasDenoMember: (member: string) => boolean;
  readonly size: SizeLimits | null;
}

/** Limits of the compressed bundle, in bytes. */
export interface SizeLimits {
  /** Size of a bundle without the author's code: the runtime and its packages. A test measures it. */
  readonly carried: number;
  readonly smallPlanMax: number;
  readonly max: number;
}

export interface Platform extends Target {
  /** Options of `defineRuntime("<name>", { … })`. */
  readonly options: Shape;
  /** Text for `GET /templates`. */
  readonly description: string;
  /** True if streams stay open, and connections go to the address that was checked (contract 8.2.5). */
  readonly servesRealtime: boolean;
  /**
   * True if every output contains the runtime's sources, which are bundled with the project under the platform's own
   * conditions.
   */
  readonly bundlesRuntime: boolean;
  /** True if there are no files at run time, so that the API's description is a module. */
  readonly bundlesDescription: boolean;
  /** More names for the import map, and more tasks. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, string>>;
  /** Returns more files of an output. */
  files(model: ProjectModel, definitions: Definitions): readonly GeneratedFile[];
  /** Reports features that the platform does not have, and settings of it that contradict the project. */
  check(model: ProjectModel, definitions: Definitions, report: Report): void;
  /** Returns the variables that the author's settings of the platform set. */
  variables(definitions: Definitions): readonly string[];
}
