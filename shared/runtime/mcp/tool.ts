/** A tool: its description for a language model, and the request to the API that its arguments mean. */
import { z } from "zod";
import type { JsonObject } from "../../lib/json_object.ts";
import type { JsonValue } from "../../model/column.ts";
import type { JsonSchema } from "../../surface/parameters.ts";
import type { InnerCall } from "./inner_api.ts";

/** Interpretation of a tool's arguments. */
export type Meaning =
  | { readonly kind: "call"; readonly call: InnerCall }
  /** Known without asking the API: what the model of the project says. */
  | { readonly kind: "told"; readonly data: JsonValue }
  | { readonly kind: "refused"; readonly problem: ArgumentProblem };

/** A fault in the arguments, explained to the model so that it can try again. */
export interface ArgumentProblem {
  readonly detail: string;
  readonly hint: string;
}

/** Hints that hosts may show their user before a call (the protocol's `ToolAnnotations`); never a promise of safety. */
interface ToolEffects {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export const READS: ToolEffects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
};
export const ADDS: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
};
/** Overwrites or removes; once or twice is the same. */
export const REPLACES: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
};
/** Hints for code of the author's, which may do anything. */
export const DOES_ANYTHING: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effects: ToolEffects;
  readonly inputSchema: JsonSchema;
  /** True when the answer may come in parts. */
  readonly isStreaming: boolean;
  mean(args: JsonObject): Meaning;
}

export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effects: ToolEffects;
  readonly isStreaming?: boolean;
}

/** A tool whose arguments are a closed object: what its schema tells is what is checked. */
export function toolOf<Shape extends z.ZodRawShape>(
  text: ToolText,
  shape: Shape,
  mean: (args: z.output<z.ZodObject<Shape>>) => Meaning,
): Tool {
  const schema = z.object(shape);
  const { "~standard": _, ...inputSchema } = z.toJSONSchema(z.strictObject(shape), { io: "input" });
  return {
    isStreaming: false,
    ...text,
    inputSchema: JSON.parse(JSON.stringify(inputSchema)),
    mean(args) {
      const unknown = Object.keys(args).find((name) => !Object.hasOwn(shape, name));
      if (unknown !== undefined) {
        return refusedArguments(`Unknown argument "${shown(unknown)}"`, Object.keys(shape));
      }
      const parsed = schema.safeParse(args);
      if (parsed.success) return mean(parsed.data);
      const [issue] = parsed.error.issues;
      const place = issue?.path.map(String).join(".") ?? "";
      return refusedArguments(
        `Argument "${shown(place)}": ${shown(issue?.message ?? "Invalid")}`,
        Object.keys(shape),
      );
    },
  };
}

export function refusedArguments(detail: string, known: readonly string[]): Meaning {
  const hint = known.length === 0 ? "It takes no arguments" : `It takes ${known.join(", ")}`;
  return { kind: "refused", problem: { detail, hint } };
}

const SHOWN_MAX = 200;

/** Text of a caller, as far as it helps. */
export function shown(text: string): string {
  return text.slice(0, SHOWN_MAX).toWellFormed();
}

export function callOf(call: Pick<InnerCall, "endpoint" | "method" | "path"> & Partial<InnerCall>) {
  const rest = { query: [], headers: {}, body: null, rehearses: false };
  return { kind: "call", call: { ...rest, ...call } } as const satisfies Meaning;
}
