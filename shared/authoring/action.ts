/** `defineAction`: what an action takes, who may run it, and the move that it makes (contract 2.11, definitions 5). */
import type { ZodType } from "zod";
import type { AccessDefinition, RecordDefinition } from "./access.ts";
import type { RateLimitDefinition } from "./resource.ts";

/** A move of a state field, applied by the service in one guarded UPDATE. */
export interface TransitionDefinition {
  readonly field: string;
  readonly fromTo: { readonly [from: string]: readonly string[] };
  readonly to?: string;
  /** The input field that names the target state. */
  readonly via?: string;
  readonly guard?: RecordDefinition<string>;
  readonly onIllegal?: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
  };
  readonly idempotent?: "noop";
  /** The column that takes the time of the move. */
  readonly stamp?: string;
  readonly clears?: readonly string[];
}

export interface ActionDefinition<Input extends ZodType = ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly output?: ZodType;
  readonly access: AccessDefinition;
  /** Makes it standalone: it binds no record. */
  readonly path?: `/${string}` | `./${string}`;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly responseType?: "json" | "stream" | "file";
  readonly rateLimit?: RateLimitDefinition | false;
  readonly transition?: TransitionDefinition;
  /** Input field → the table whose record it names. */
  readonly refs?: { readonly [inputField: string]: string };
  readonly handler?: `./${string}` | `../${string}`;
}

/** One action, named after its file. */
export function defineAction<Input extends ZodType>(
  definition: ActionDefinition<Input>,
): ActionDefinition<Input> {
  return definition;
}
