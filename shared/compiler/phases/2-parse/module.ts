/** Phase 2's result: a source file with its syntax tree. */
import type { Program } from "@babel/types";
import type { SourceFile } from "../1-read/source_file.ts";

export interface Module {
  readonly source: SourceFile;
  /** Null for files that are not code, and for code with syntax errors, which were reported. */
  readonly program: Program | null;
  /** It is code and could not be parsed: what it declares is unknown, not absent. */
  readonly broken: boolean;
}
