/** The record of a platform that generated projects run on: what it asks of an output, has, and lacks. */
import type { Shape } from "../../definition_language/shape.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { Report } from "../diagnostics/report.ts";
import type { GeneratedFile } from "../host.ts";
import type { Definitions } from "../phases/values.ts";

export interface Target {
  /** As messages name it. */
  readonly title: string;
  /** The module that the platform loads first; path in the output. */
  readonly entry: string;
  /** Conditions that select among the alternatives in a package's `exports`. */
  readonly conditions: readonly string[];
  /** `module` of `node:module`. */
  readonly runsNodeModule: (module: string) => boolean;
  /** A member of the global `Deno`. */
  readonly hasDenoMember: (member: string) => boolean;
  readonly size: SizeLimits | null;
}

/** Bytes of the compressed bundle. */
export interface SizeLimits {
  /** Size of a bundle without the author's code: the runtime and its packages. A test measures it. */
  readonly carried: number;
  readonly smallPlanMax: number;
  readonly max: number;
}

export interface Platform extends Target {
  /** Of `defineRuntime("<name>", { … })`. */
  readonly options: Shape;
  /** For `GET /templates`. */
  readonly description: string;
  /** Streams stay open, and connections go to the address that was checked (contract 8.2.5). */
  readonly servesRealtime: boolean;
  /** Every output carries the runtime's sources: they are bundled with the project, by the platform's own conditions. */
  readonly bundlesRuntime: boolean;
  /** There are no files at run time: the description is a module. */
  readonly bundlesDescription: boolean;
  /** More names for the import map, and more tasks. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, string>>;
  /** More files of an output. */
  files(model: ProjectModel, definitions: Definitions): readonly GeneratedFile[];
  /** Reports features that the platform does not have, and settings of it that contradict the project. */
  check(model: ProjectModel, definitions: Definitions, report: Report): void;
  /** Variables that the author's settings of the platform set. */
  variables(definitions: Definitions): readonly string[];
}
