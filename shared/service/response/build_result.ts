/** Bodies of finished compiles. Equal input gives equal bytes (definitions 7). */
import { type ContractVersion, DIAGNOSTICS_LISTED_MAX } from "../../contract/mod.ts";
import type { JsonValue } from "../../model/mod.ts";
import type { Diagnostic } from "../../compiler/mod.ts";
import { hitList } from "../../compiler/front.ts";
import type { CompileEvent, OutputFile } from "../compile/compile_event.ts";
import type { ServiceSettings } from "../ports.ts";
import { ServiceRefusal } from "../refusal.ts";

interface BuildMeta {
  readonly fileCount: number;
  readonly version: string;
  readonly contract: ContractVersion;
  readonly complete: boolean;
  readonly backend: "edge" | "container";
}

interface BuildWarning {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

interface BuildSummary {
  readonly meta: BuildMeta;
  readonly commands: readonly string[];
  readonly warnings: readonly BuildWarning[];
}

export interface BuildResult extends BuildSummary {
  readonly files: readonly OutputFile[];
}

export interface BuildContext {
  readonly settings: Pick<ServiceSettings, "backend" | "version">;
  readonly complete: boolean;
}

export function buildResult(
  { contract, commands, warnings }: Extract<CompileEvent, { kind: "finished" }>,
  files: readonly OutputFile[],
  { settings, complete }: BuildContext,
): BuildResult {
  const { version, backend } = settings;
  return {
    meta: { fileCount: files.length, version, contract, complete, backend },
    files,
    commands,
    warnings: warnings.map(({ code, message, place }) => ({
      code,
      message,
      file: place.file,
      line: place.line,
    })),
  };
}

/** Makes the refusal of a failed compile. Its list of errors has a maximum length. */
export function compileFailed(errors: readonly Diagnostic[]): ServiceRefusal {
  const listed: JsonValue[] = errors.slice(0, DIAGNOSTICS_LISTED_MAX).map((error) => ({
    code: error.code,
    message: error.message,
    file: error.place.file,
    line: error.place.line,
    column: error.place.column,
    hint: error.hint,
  }));
  return new ServiceRefusal("COMPILE_FAILED", {
    detail: hitList(errors),
    members: { errors: listed },
  });
}
