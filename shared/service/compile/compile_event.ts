/** Events of a compile as it happens (contract 4.8, streaming); JSON, so that they cross threads. */
import type { ContractVersion } from "../../contract/mod.ts";
import type * as compiler from "../../compiler/mod.ts";

export interface CompileInput {
  readonly files: compiler.RawFiles;
  /** JSON Schema by `<feature>.<action>` (contract 4.8, raw-files rule 2); empty when none was sent. */
  readonly actionInputSchemas: Readonly<Record<string, unknown>>;
  /** False: the output depends on the package instead of carrying the runtime. */
  readonly vendor?: boolean;
  /** The client's own parse of the same files; absent: the service parses them. */
  readonly parsed?: compiler.ParsedProject;
}

export interface CompileJob {
  readonly input: CompileInput;
  /** False: validate only. */
  readonly complete: boolean;
  readonly signal: AbortSignal;
  /** Owner of the compile; absent: nobody in particular. Cached results are shared with nobody else. */
  readonly caller?: string;
}

export interface OutputFile extends Omit<compiler.GeneratedFile, "origin"> {
  /** Of the content's UTF-8 bytes, in hexadecimal. */
  readonly sha256: string;
}

export type CompileEvent =
  | { readonly kind: "progress"; readonly stage: compiler.Stage; readonly message: string }
  /** All files of a full compile; the check of the bundle may still follow. */
  | { readonly kind: "emitted"; readonly files: readonly OutputFile[] }
  | {
    readonly kind: "finished";
    readonly contract: ContractVersion;
    readonly commands: readonly string[];
    readonly warnings: readonly compiler.Diagnostic[];
  }
  /** The last of a compile that found mistakes. */
  | { readonly kind: "failed"; readonly errors: readonly compiler.Diagnostic[] };
