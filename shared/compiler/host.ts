/** Capabilities that the compiler gets from its host: it touches neither disk nor clock itself. */
import type { PlatformName } from "../contract/mod.ts";
import type { DenoLock } from "./lock/deno_lock.ts";

/** Project-relative path → text. */
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
  /** The same runtime as a few modules of JavaScript, by path in the output; absent: outputs run its sources. */
  readonly built?: RawFiles;
  /** Additional files of a project by its platform; absent: such a project gets server files only. */
  readonly platforms?: PlatformFiles;
  /** Exact versions for the output's import map: bare name → npm specifier. */
  readonly imports: Readonly<Record<string, string>>;
  /** The exact packages behind those specifiers, and behind them in turn. */
  readonly lock: DenoLock;
  /** The databases of its outputs have no FTS5: full-text search is a mistake there. */
  readonly lacksFullText?: boolean;
  /** Receives the beginning of each phase; for progress lines and streams. */
  readonly onProgress?: (stage: Stage, message: string) => void;
}

export type Stage = "read" | "parse" | "evaluate" | "analyze" | "plan" | "emit" | "check";

export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /** Of an author's file that is carried. */
  readonly origin?: FileOrigin;
}

/** Maps pieces of an output file to the author's file that they were copied from; offsets count UTF-16 units. */
export interface FileOrigin {
  readonly file: string;
  readonly text: string;
  /** In order; what is between two of them took the place of what is between them in the author's file. */
  readonly pieces: readonly OriginPiece[];
}

interface OriginPiece {
  /** Offset of the piece in the output. */
  readonly output: number;
  /** Offset of the piece in the author's file. */
  readonly source: number;
  readonly length: number;
}
