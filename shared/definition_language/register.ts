/**
 * Names of one project, for the types of its definitions. Generated declarations extend this; before they exist, every name is
 * accepted.
 */

/** Extended by generated code (`declare module`). */
export interface Register {
  /** Exists for the type checker only. */
  readonly registered?: true;
}

/** The member of the register, or a fallback if it is missing. */
export type Registered<Key extends string, Fallback> = Register extends
  { readonly [K in Key]: infer Told } ? Told : Fallback;

/** A role that rules may name, also as `"<role>+"`. */
export type RoleName = Registered<"roles", string>;

/** An action under the name that guards and verbs use. */
export type ActionName = Registered<"actionNames", string>;

/** A table under its author's name. The name in URLs is accepted with a warning. */
export type TableName =
  | keyof Registered<"tables", Readonly<Record<string, unknown>>> & string
  | Registered<"urlNames", never>;

/** A foreign key of some table, as `"<table>.<column>"`. */
export type ForeignKey = Registered<"foreignKeys", `${string}.${string}`>;

/** `<binding>.<variant>` of the realtime registry. */
export type SignalName = Registered<"signalNames", string>;
