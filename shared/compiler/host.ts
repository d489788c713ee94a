/** What the compiler needs from where it runs: it touches neither disk nor clock itself. */

/** Project-relative path → text. */
export type RawFiles = Readonly<Record<string, string>>;

export interface CompileHost {
  /** Version of the compiler, part of `meta`. */
  readonly version: string;
  /** Files of the chosen template (path in the output → text), in any order. */
  readonly template: RawFiles;
  /** The vendored runtime (path in the output → text). */
  readonly vendored: RawFiles;
  /** Exact versions for the output's import map: bare name → npm specifier. */
  readonly imports: Readonly<Record<string, string>>;
  /** Told as each phase begins; for progress lines and streams. */
  readonly onProgress?: (stage: Stage, message: string) => void;
}

export const STAGES = ["read", "parse", "evaluate", "analyze", "plan", "emit", "check"] as const;
export type Stage = typeof STAGES[number];

export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}
