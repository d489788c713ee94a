/** Links the runtime to a generated project's own code: one implementation per action, by the action's key (definitions 5). */
import type { ZodType } from "zod";

export interface ActionImplementation {
  /**
   * The author's function, called with the parameters of contract 2.11; null: the service applies the transition. Its parameters
   * are typed from the definition where it is written, so the runtime calls it through `unknown`.
   */
  readonly execute: ((parameters: never) => unknown) | null;
  /** The author's own schemas. They validate requests, even if the compiler could not read them statically. */
  readonly input: ZodType;
  readonly output: ZodType | null;
}

/** Implementations by `ActionModel.key`; every action of the model has one. */
export type ActionImplementations = Readonly<Record<string, ActionImplementation>>;
