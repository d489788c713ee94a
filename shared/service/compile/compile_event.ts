/** Events of a running compile (contract 4.8, streaming). They are JSON, so that they can be sent between threads. */
import type { ContractVersion } from "../../contract/mod.ts";
import type * as compiler from "../../compiler/mod.ts";

export interface CompileInput {
  readonly files: compiler.RawFiles;
  /** JSON Schemas by `<feature>.<action>` (contract 4.8, raw-files rule 2); empty when the request has none. */
  readonly actionInputSchemas: Readonly<Record<string, unknown>>;
  /** False when the output depends on the package instead of containing the runtime. */
  readonly vendor?: boolean;
  /** The files as the client has parsed them. Absent: the service parses them. */
  readonly parsed?: compiler.ParsedProject;
}

export interface CompileJob {
  readonly input: CompileInput;
  /** False for a validation only. */
  readonly complete: boolean;
  readonly signal: AbortSignal;
  /** Owner of the compile. Cached results are shared within one owner only. Absent: there is no owner. */
  readonly caller?: string;
}

export interface OutputFile extends Omit<compiler.GeneratedFile, "origin"> {
  /** SHA-256 of the content's UTF-8 bytes in hexadecimal. */
  readonly sha256: string;
}

export type CompileEvent =
  | { readonly kind: "progress"; readonly stage: compiler.Stage; readonly message: string }
  /** All files of a full compile. The check of the bundle may follow. */
  | { readonly kind: "emitted"; readonly files: readonly OutputFile[] }
  | {
    readonly kind: "finished";
    readonly contract: ContractVersion;
    readonly commands: readonly string[];
    readonly warnings: readonly compiler.Diagnostic[];
  }
  /** The last event of a compile with errors. */
  | { readonly kind: "failed"; readonly errors: readonly compiler.Diagnostic[] };
