/**
 * `middlewares/*.ts`: Hono middlewares around operations, in file-name order after authentication (definitions 6). They do not
 * run for unauthenticated requests. Later refusals happen inside of them.
 */
import { type Context, Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Principal } from "../../model/mod.ts";
import type { RequestContext } from "../context.ts";
import type { HandlerHome } from "./work.ts";
import { contextOf } from "./caller_context.ts";
import { withoutCredentials } from "../request/read_request.ts";

/** Runs the project's middlewares around all that follows the authentication. */
export type Middlewares = (
  request: RequestContext,
  principal: Principal,
  run: Run,
) => Promise<Response>;

/** Continues with the variables that the middlewares set for handlers. */
type Run = (variables: ReadonlyMap<string, unknown>) => Promise<Response>;

/** Values for the end of the chain. */
interface Passage {
  readonly principal: Principal;
  readonly run: Run;
}

type Variables = { readonly Variables: Record<string, unknown> };

/**
 * Makes the middlewares. Null: the project has none. Throws for a default export that is no middleware, so that the API does
 * not start.
 */
export function middlewaresOf({ code, env }: HandlerHome): Middlewares | null {
  if (code.middlewares.length === 0) return null;
  const passages = new WeakMap<Request, Passage>();
  const chain = new Hono<Variables>();
  chain.use("*", (context, next) => {
    const { principal } = passageOf(context, passages);
    const { organizationId } = principal;
    context.set("ctx", contextOf({ principal, organizationId }));
    return next();
  });
  for (const { file, handle } of code.middlewares) {
    if (typeof handle !== "function") {
      throw new Error(`Cannot start: the default export of ${file} is no middleware`);
    }
    chain.use(
      "*",
      (context: Context, next: Next) => Reflect.apply(handle, undefined, [context, next]),
    );
  }
  chain.all(
    "*",
    (context) => passageOf(context, passages).run(new Map(Object.entries(context.var))),
  );
  chain.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    throw error;
  });
  return async (request, principal, run) => {
    // The endpoint reads the body within its own limits.
    const raw = new Request(request.app.settings.baseUrl + request.path + request.search, {
      method: request.method,
      headers: withoutCredentials(request.headers),
    });
    passages.set(raw, { principal, run });
    return await chain.fetch(raw, env);
  };
}

function passageOf({ req }: Context, passages: WeakMap<Request, Passage>): Passage {
  const passage = passages.get(req.raw);
  if (!passage) throw new Error("A middleware replaced the request");
  return passage;
}
