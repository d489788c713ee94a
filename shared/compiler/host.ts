/** Defines the capabilities that the compiler gets from its host, because it uses neither disk nor clock itself. */
import type { PlatformName } from "../contract/mod.ts";
import type { DenoLock } from "./lock/deno_lock.ts";

/** Texts of files by project-relative path. */
export type RawFiles = Readonly<Record<string, string>>;

export type PlatformFiles = {
  readonly [Name in PlatformName]?: { readonly template: RawFiles; readonly vendored: RawFiles };
};

export interface CompileHost {
  /** Version of the compiler, part of `meta`. */
  readonly version: string;
  /** Files of the chosen template (path in the output → text), in any order. */
  readonly template: RawFiles;
  /** The vendored runtime (path in the output → text). */
  readonly vendored: RawFiles;
  /** The runtime as built JavaScript modules by output path. Absent: outputs run its sources. */
  readonly built?: RawFiles;
  /** Additional files of a project by its platform; absent: such a project gets server files only. */
  readonly platforms?: PlatformFiles;
  /** Exact versions for the output's import map: bare name → npm specifier. */
  readonly imports: Readonly<Record<string, string>>;
  /** The exact packages of those specifiers, with their dependencies. */
  readonly lock: DenoLock;
  /** True when the outputs' databases have no FTS5, so that full-text search is an error. */
  readonly lacksFullText?: boolean;
  /** Receives the beginning of each phase; for progress lines and streams. */
  readonly onProgress?: (stage: Stage, message: string) => void;
}

export type Stage = "read" | "parse" | "evaluate" | "analyze" | "plan" | "emit" | "check";

export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /** Origin of a copied file of the author's. */
  readonly origin?: FileOrigin;
}

/** Maps parts of an output file to the author's file from which they were copied. Offsets count UTF-16 units. */
export interface FileOrigin {
  readonly file: string;
  readonly text: string;
  /** Parts in order. The text between two of them replaces the text between them in the author's file. */
  readonly pieces: readonly OriginPiece[];
}

interface OriginPiece {
  /** Offset of the piece in the output. */
  readonly output: number;
  /** Offset of the piece in the author's file. */
  readonly source: number;
  readonly length: number;
}
