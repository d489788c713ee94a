/** Mounts the token endpoints where the project has tokens (contract 4.7, 5.2, 5.4, 5.6). */
import type { ProjectModel } from "../../model/project.ts";
import { operationAt } from "../../surface/service_operation.ts";
import { tokenOperationsOf } from "../../surface/token_operations.ts";
import { type Admitted, type Endpoint, type OperationContext, serviceGate } from "../gate.ts";
import type { Revocations } from "../layers/1-authentication/revocation.ts";
import { createScopeTokenOperation } from "../operations/scope_token.ts";
import { createTokenOperation, requireNoOther } from "../operations/token.ts";
import { namedToken } from "../operations/token_revocation.ts";
import { jsonResponse } from "../response/record.ts";

/** `revocations` null: the project's tokens cannot be taken back. */
export function tokenEndpoints(
  { project, ports, settings, switches, mintToken }: OperationContext,
  revocations: Revocations | null,
): Endpoint[] {
  const { jwt } = project.auth;
  const { accounts, clock, random } = ports;
  if (jwt === null || mintToken === null) return [];
  const path = `${switches.apiBase}/token`;
  const endpoint = (id: string, path: string, answer: Answer) =>
    tokenEndpoint(id, { path, answer }, project);
  return [
    ...(accounts === null ? [] : [{
      ...endpoint(
        "createToken",
        path,
        createTokenOperation({ jwt, settings, clock, random, accounts }),
      ),
      before: ({ headers }: { readonly headers: Headers }) => requireNoOther(headers, accounts),
    }]),
    endpoint("createScopeToken", `${path}/scope`, createScopeTokenOperation(mintToken, project)),
    ...(revocations === null ? [] : [endpoint("revokeToken", `${path}/revoke`, async (request) => {
      await revocations.revoke(await namedToken(request));
      return { success: true };
    })]),
  ];
}

type Answer = (request: Admitted) => Promise<object>;

function tokenEndpoint(
  id: string,
  { path, answer }: { readonly path: string; readonly answer: Answer },
  project: ProjectModel,
): Endpoint {
  return {
    id,
    method: "POST",
    path,
    gate: serviceGate(operationAt(path, tokenOperationsOf(project))),
    handle: async (request) => jsonResponse(JSON.stringify(await answer(request)), 200),
  };
}
