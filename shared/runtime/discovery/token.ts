/** Mounts the token endpoints where the project has tokens (contract 4.7, 5.2, 5.4, 5.6). */
import type { AppContext } from "../context.ts";
import { createScopeTokenOperation } from "../operations/scope_token.ts";
import { createTokenOperation } from "../operations/token.ts";
import { namedToken } from "../operations/token_revocation.ts";
import { jsonResponse } from "../response/record.ts";
import type { Endpoint } from "../router.ts";

export function tokenEndpoints(
  { project, ports, settings, switches, mintToken, revocations }: AppContext,
): Endpoint[] {
  const { jwt } = project.auth;
  const { accounts, clock, random } = ports;
  if (jwt === null || mintToken === null) return [];
  const path = `${switches.apiBase}/token`;
  const mintScope = createScopeTokenOperation(mintToken, project);
  return [
    ...(accounts === null
      ? []
      : [sessionTokenEndpoint(path, { jwt, settings, clock, random, accounts })]),
    endpoint("createScopeToken", `${path}/scope`, mintScope),
    ...(revocations === null ? [] : [endpoint("revokeToken", `${path}/revoke`, async (request) => {
      await revocations.revoke(await namedToken(request));
      return { success: true };
    })]),
  ];
}

function sessionTokenEndpoint(
  path: string,
  dependencies: Parameters<typeof createTokenOperation>[0],
): Endpoint {
  const mint = createTokenOperation(dependencies);
  return endpoint(
    "createToken",
    path,
    (request) => mint(request, () => request.app.identify(request)),
  );
}

function endpoint(
  id: string,
  path: string,
  answer: (request: Parameters<Endpoint["handle"]>[0]) => Promise<object>,
): Endpoint {
  return {
    id,
    method: "POST",
    path,
    handle: async (request) => jsonResponse(JSON.stringify(await answer(request)), 200),
  };
}
