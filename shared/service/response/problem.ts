/**
 * The build service's problem documents (contract 2.7, definitions 7). They never repeat the request's body, which is an
 * author's source.
 */
import { PROBLEM_MEDIA_TYPE, problemType, redactedSearch } from "../../contract/mod.ts";
import { rowOf, ServiceRefusal } from "../refusal.ts";

const TEXT_MAX_LENGTH = 2048;

export function problemResponse(
  refusal: ServiceRefusal,
  request: {
    readonly method: string;
    /** Path as it was routed. */
    readonly path: string;
    readonly search: string;
    readonly requestId: string;
  },
  baseUrl: string,
): Response {
  const { code, options } = refusal;
  const row = rowOf(code);
  const { layer, status, title } = row;
  const { detail, pointer, hint = row.hint, members } = options;
  const document = {
    type: problemType(code, baseUrl),
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    instance: request.path.slice(0, TEXT_MAX_LENGTH),
    layer,
    code,
    ...(pointer === undefined ? {} : { pointer }),
    hint,
    ...members,
    request: {
      method: request.method,
      url: baseUrl + `${request.path}${redactedSearch(request.search)}`.slice(0, TEXT_MAX_LENGTH),
      requestId: request.requestId,
    },
  };
  return new Response(JSON.stringify(document), {
    status,
    headers: { ...options.headers, "content-type": PROBLEM_MEDIA_TYPE },
  });
}

/** Returns the thrown refusal. Any other error becomes `INTERNAL_ERROR` without details. */
export function refusalOf(error: unknown): ServiceRefusal {
  if (error instanceof ServiceRefusal) return error;
  return new ServiceRefusal("INTERNAL_ERROR");
}
