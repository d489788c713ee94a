/** Mounts the token endpoint where the project has tokens and accounts (contract 4.7, 5.6). */
import type { AppContext } from "../context.ts";
import { createTokenOperation } from "../operations/token.ts";
import { jsonResponse } from "../response/record.ts";
import type { Endpoint } from "../router.ts";

export function tokenEndpoints({ project, ports, settings, switches }: AppContext): Endpoint[] {
  const { jwt } = project.auth;
  const { accounts, clock, random } = ports;
  if (jwt === null || accounts === null) return [];
  const mint = createTokenOperation({ jwt, settings, clock, random, accounts });
  return [{
    id: "createToken",
    method: "POST",
    path: `${switches.apiBase}/token`,
    async handle(request) {
      const grant = await mint(request, () => request.app.identify(request));
      return jsonResponse(JSON.stringify(grant), 200);
    },
  }];
}
