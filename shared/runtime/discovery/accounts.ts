/** The account routes, served by a library behind its port (definitions 7, "auth routes"). */
import type { RequestContext } from "../context.ts";
import { readBytes } from "../request/body.ts";

/** The path below the auth base or its alias, with its slash; null for every other path. */
export function accountsPath({ app, path }: RequestContext): string | null {
  if (app.ports.accounts === null) return null;
  const { authBase, authAlias } = app.switches;
  for (const base of [authBase, authAlias]) {
    if (base !== null && path.startsWith(`${base}/`)) return path.slice(base.length);
  }
  return null;
}

/** Hands the request over at its one address, with a body no larger than any other. */
export async function accountsResponse(
  context: RequestContext,
  request: Request,
  path: string,
): Promise<Response> {
  const { app, search, method, headers, clientIp } = context;
  if (app.ports.accounts === null) throw new Error("The project has no accounts");
  const bytes = await readBytes(request);
  const url = `${app.settings.baseUrl}${app.switches.authBase}${path}${search}`;
  const body = bytes.byteLength > 0 ? { body: bytes } : {};
  const sent = new Request(url, { method, headers, ...body });
  const answer = await app.ports.accounts.handle(sent, { clientIp });
  return new Response(answer.body, answer);
}
