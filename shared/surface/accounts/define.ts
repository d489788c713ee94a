/** Short forms for the tables of account routes. */
import { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import { body } from "./members.ts";
import type { AuthOperation } from "./operation.ts";

type Told = Pick<AuthOperation, "id" | "path" | "summary"> & Partial<AuthOperation>;

const NOTHING = body({});

/** Reads with a session, unless said otherwise. */
export function read(told: Told, success: JsonSchema | null): AuthOperation {
  return {
    method: "GET",
    who: "session",
    query: z.object({}),
    body: null,
    bodyExample: {},
    accepted: null,
    redirects: false,
    refusals: [400, 401, 403],
    success,
    ...told,
  };
}

/** Writes with a session, unless said otherwise. */
export function write(
  told: Told & { readonly takes?: z.ZodRawShape },
  success: JsonSchema,
): AuthOperation {
  const { takes, ...others } = told;
  return {
    ...read(others, success),
    method: "POST",
    body: takes === undefined ? NOTHING : body(takes),
    ...others,
  };
}
