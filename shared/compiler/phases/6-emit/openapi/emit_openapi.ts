/** `openapi.json`: what the surface implies, and nothing else (contract 4.7, 9.3). The same model gives the same bytes. */
import type { ProjectModel } from "../../../../model/project.ts";
import { actionCodesOf, actionOperationsOf } from "../../../../surface/action_operations.ts";
import { authOperationsOf } from "../../../../surface/auth_operations.ts";
import { operationsOf } from "../../../../surface/operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { codesOf } from "../../../../surface/responses.ts";
import { serviceOperationsOf } from "../../../../surface/service_operations.ts";
import { webhookOperationsOf } from "../../../../surface/webhook_operations.ts";
import { actionPathEntries } from "./action_paths.ts";
import { withReplays } from "./answer_headers.ts";
import { authPathEntries, servicePathEntries } from "./service_paths.ts";
import { componentsOf } from "./components.ts";
import { eventWebhooks, webhookPathEntries } from "./webhook_paths.ts";
import { operationPathEntries } from "./operation_paths.ts";
import { ACCOUNTS_TAG, type PathEntry, pathsOf, SERVICE_TAG, WEBHOOKS_TAG } from "./path_entry.ts";

/** Indented by two spaces, with a line break at the end. */
export function emitOpenApi(model: ProjectModel, document = openApiDocument(model)): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function openApiDocument(model: ProjectModel): JsonSchema {
  const entries: readonly PathEntry[] = [
    ...operationPathEntries(model),
    ...actionPathEntries(model),
    ...servicePathEntries(model),
    ...webhookPathEntries(model),
    ...authPathEntries(model),
  ];
  return {
    openapi: "3.1.0",
    info: {
      title: model.name,
      version: model.contract,
      contact: { name: `Maintainers of ${model.name}` },
      license: { name: "All rights reserved", identifier: "LicenseRef-AllRightsReserved" },
      description:
        "Refusals are Problem Details (RFC 9457), but for 429, which is flat JSON. Every request passes authentication, rate limit, firewall, access, guards, validation and masking.",
    },
    servers: [{ url: "/" }],
    tags: [
      ...model.resources.map(({ name, feature }) => ({
        name,
        description: `Records of \`${name}\` in the feature \`${feature}\`.`,
      })),
      { name: SERVICE_TAG, description: "The API itself." },
      ...(webhookOperationsOf(model).length > 0
        ? [{
          name: WEBHOOKS_TAG,
          description: "Events that are sent, and events that are received.",
        }]
        : []),
      ...(authOperationsOf(model).length > 0
        ? [{ name: ACCOUNTS_TAG, description: "Accounts, sessions and organizations." }]
        : []),
    ],
    paths: pathsOf(entries.map(withReplays)),
    ...eventWebhooks(model),
    components: componentsOf(model, { isLimited: isLimited(model) }),
  };
}

/** True when some operation may be refused with the flat 429. */
function isLimited(model: ProjectModel): boolean {
  return [
    ...operationsOf(model).flatMap((operation) => codesOf(operation, model)),
    ...actionOperationsOf(model).flatMap((operation) => actionCodesOf(operation, model)),
    ...serviceOperationsOf(model).flatMap((operation) => operation.codes),
    ...webhookOperationsOf(model).flatMap((operation) => operation.codes),
  ].includes("RATE_LIMITED");
}
