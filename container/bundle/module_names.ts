/** Findings of the bundler about modules. */
/** A refused import, passed through the bundler's own messages. */
export interface ImportFinding {
  readonly kind: "unresolved" | "hostModule" | "nativeAddon" | "require" | "notCode";
  readonly specifier: string;
  /** Modules between the specifier and the refused one. */
  readonly behind: readonly string[];
}

/** Exports of a module; null: they are known only when it runs. */
export interface ModuleNames {
  readonly exports: readonly string[] | null;
}
