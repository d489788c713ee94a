/** Phase 1's result: one file of a project with the role that its place gives it (definitions 1). */

export type FileRole =
  | { readonly kind: "config" }
  /** `features/<feature>/<table>.ts` */
  | { readonly kind: "table"; readonly feature: string }
  /** `features/<feature>/actions.ts` (`table` is null) and `actions/[<table>/]<name>.ts` */
  | { readonly kind: "action"; readonly feature: string; readonly table: string | null }
  | { readonly kind: "handler"; readonly feature: string }
  /** `lib/` of a feature, or of the project (`feature` is null): may hold constants that tables import. */
  | { readonly kind: "lib"; readonly feature: string | null }
  | { readonly kind: "service" }
  /** Hooks, plugins, middlewares, email templates, and documents beside the definitions. */
  | { readonly kind: "support" }
  | { readonly kind: "migrationState" }
  | { readonly kind: "wrangler" }
  /** Its path was reported; it stays known, so that an import of it is no second mistake. */
  | { readonly kind: "refused" };

export interface SourceFile {
  /** Project-relative, with `/`. */
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly role: FileRole;
}
