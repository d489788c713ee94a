/**
 * Names of one project, for the types of its definitions. Generated declarations merge them in; before anything is generated, any
 * name will do.
 */

/** Filled in by generated code (`declare module`). */
export interface Register {
  /** For the type checker only: nothing stands there. */
  readonly registered?: true;
}

/** The member of the register, or what holds without it. */
export type Registered<Key extends string, Fallback> = Register extends
  { readonly [K in Key]: infer Told } ? Told : Fallback;

/** A role that rules may name, `"<role>+"` included. */
export type RoleName = Registered<"roles", string>;

/** An action, by the name that guards and verbs use. */
export type ActionName = Registered<"actionNames", string>;

/** A table, by the name that its author gave it; that of URLs is taken with a warning. */
export type TableName =
  | keyof Registered<"tables", Readonly<Record<string, unknown>>> & string
  | Registered<"urlNames", never>;

/** `<binding>.<variant>` of the realtime registry. */
export type SignalName = Registered<"signalNames", string>;
