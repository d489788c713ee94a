/** Short forms for the tables of account routes. */
import { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import { body } from "./members.ts";
import type { AuthOperation } from "./operation.ts";

type DeclaredOperation = Pick<AuthOperation, "id" | "path" | "summary"> & Partial<AuthOperation>;

const NOTHING = body({});

/** Reads with a session, unless said otherwise. */
export function read(declared: DeclaredOperation, success: JsonSchema | null): AuthOperation {
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
    ...declared,
  };
}

/** Writes with a session, unless said otherwise. */
export function write(
  declared: DeclaredOperation & { readonly takes?: z.ZodRawShape },
  success: JsonSchema,
): AuthOperation {
  const { takes, ...others } = declared;
  return {
    ...read(others, success),
    method: "POST",
    body: takes === undefined ? NOTHING : body(takes),
    ...others,
  };
}
