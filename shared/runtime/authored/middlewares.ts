/**
 * `middlewares/*.ts`: Hono middlewares around operations, in file-name order after authentication (definitions 6). Whom the
 * authentication refuses meets none of them; what comes after it, other refusals included, happens inside them.
 */
import { type Context, Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Principal } from "../../model/mod.ts";
import type { RequestContext } from "../context.ts";
import type { HandlerHome } from "./work.ts";
import { contextOf } from "./caller_context.ts";
import { withoutCredentials } from "../request/read_request.ts";

/** Runs the project's middlewares around what follows the authentication of this caller. */
export type Middlewares = (
  request: RequestContext,
  principal: Principal,
  run: Run,
) => Promise<Response>;

/** Goes on with the variables that they set for handlers. */
type Run = (variables: ReadonlyMap<string, unknown>) => Promise<Response>;

/** Arguments of the chain's ends. */
interface Passage {
  readonly principal: Principal;
  readonly run: Run;
}

type Variables = { readonly Variables: Record<string, unknown> };

/** Null: the project has none. Throws for a default export that is no middleware: such an API must not start. */
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
    // The body is the endpoint's to read, behind its own limits.
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
