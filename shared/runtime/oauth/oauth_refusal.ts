/**
 * Refuses requests to the token, registration and revocation endpoints, in the form that clients of the protocol read (RFC
 * 6749, 5.2).
 */
import type { RequestContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { formIn } from "../request/body.ts";
import { jsonResponse } from "../response/record.ts";
import { FORM_MEDIA_TYPE } from "../../surface/mod.ts";

type OauthError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

class OauthRefusal extends Error {
  override readonly name = "OauthRefusal";
  constructor(readonly code: OauthError, readonly description: string) {
    super(description);
  }
}

/** Ends the request with an error of the protocol. */
export function refuseOauth(code: OauthError, description: string): never {
  throw new OauthRefusal(code, description);
}

/** Answers with JSON, or with the error of the protocol that `answer` ended in. */
export async function protocolAnswer(
  answer: () => Promise<object>,
  status = 200,
): Promise<Response> {
  try {
    return jsonResponse(JSON.stringify(await answer()), status);
  } catch (error) {
    if (!(error instanceof OauthRefusal)) throw error;
    const body = { error: error.code, error_description: error.description };
    return jsonResponse(JSON.stringify(body), 400);
  }
}

/** Values of a form. Each name occurs once, unless the form's reader allows a list. */
export interface Form {
  /** Returns the value; null: it is absent or empty (RFC 6749, 3.2). */
  one(name: string): string | null;
  all(name: string): readonly string[];
  /** A name that occurs twice and must not; null: none does. */
  readonly repeated: string | null;
}

/** Reads the form of a request. Refuses with `UNSUPPORTED_MEDIA_TYPE` and as any body is refused. */
export async function formOf(
  request: RequestContext,
  lists: readonly string[] = [],
): Promise<Form> {
  const detail = `The body must be sent as '${FORM_MEDIA_TYPE}'`;
  return formWith(await formIn(request) ?? refuse("UNSUPPORTED_MEDIA_TYPE", { detail }), lists);
}

export function formWith(values: URLSearchParams, lists: readonly string[] = []): Form {
  const repeated = [...values.keys()].find((name) =>
    !lists.includes(name) && values.getAll(name).length > 1
  );
  return {
    one: (name) => values.get(name) || null,
    all: (name) => values.getAll(name),
    repeated: repeated ?? null,
  };
}

/** Returns a required member; refuses a form without it. */
export function requiredOf(form: Form, name: string): string {
  return form.one(name) ?? refuseOauth("invalid_request", `The parameter ${name} is missing`);
}

/** Refuses a form with a repeated name (RFC 6749, 3.2). */
export function requireOnce({ repeated }: Form): void {
  if (repeated === null) return;
  refuseOauth("invalid_request", `The parameter ${repeated.slice(0, 64)} is there more than once`);
}
