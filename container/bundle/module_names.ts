/** Findings of the bundler about modules. */
/** The refusal of an import, on its way through the bundler's own messages. */
export interface ImportFinding {
  readonly kind: "unresolved" | "hostModule" | "nativeAddon" | "require" | "notCode";
  readonly specifier: string;
  /** Modules behind the specifier, down to the one that is refused. */
  readonly behind: readonly string[];
}

/** Null: only its run shows what it exports. */
export interface ModuleNames {
  readonly exports: readonly string[] | null;
}
