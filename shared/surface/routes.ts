/** Lists all routes of a model, for OpenAPI, the manifests and the proofs. */
import type { ProjectModel } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { accountRoutesOf } from "./auth_operations.ts";
import { fileAddressOperationsOf, fileOperationsOf } from "./file_operations.ts";
import { operationsOf } from "./operations.ts";
import type { Route } from "./route.ts";
import { systemRoutesOf } from "./service_operations.ts";

export function routesOf(project: ProjectModel): readonly Route[] {
  return [
    ...operationsOf(project),
    ...fileOperationsOf(project),
    ...fileAddressOperationsOf(project),
    ...actionOperationsOf(project),
    ...systemRoutesOf(project),
    ...accountRoutesOf(project),
  ];
}
