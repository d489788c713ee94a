/** One route of the accounts: what it takes, what it answers, and who may ask. */
import type { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import type { Who } from "../who.ts";

export interface AuthOperation {
  /** Unique in the document; begins with `auth`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Below the auth base; a segment that begins with a colon stands for any one. */
  readonly path: string;
  readonly summary: string;
  readonly who: Extract<Who, "session" | "unasked">;
  /** Known parameters of the query; others are ignored, as links in messages get strange ones on their way. */
  readonly query: z.ZodObject;
  /** Null: GET. A body that may be empty may be absent. */
  readonly body: z.ZodObject | null;
  readonly bodyExample: JsonSchema;
  /** Of 200; null: there is none. */
  readonly success: JsonSchema | null;
  /** Of 202: what was begun and is not done yet; null: it is never so. */
  readonly accepted: JsonSchema | null;
  /** True when it may answer with a redirect to where the link was to lead. */
  readonly redirects: boolean;
  /** Statuses of its own refusals. */
  readonly refusals: readonly number[];
}

/** True when a request without a body is one with an empty object. */
export function isBodyOptional({ body }: AuthOperation): boolean {
  return body?.safeParse({}).success ?? true;
}
