/** `openapi.json`: what the surface implies, and nothing else (contract 4.7, 9.3). The same model gives the same bytes. */
import { sentence } from "../../../../lib/texts.ts";
import type { ProjectModel } from "../../../../model/mod.ts";
import type { JsonSchema } from "../../../../surface/mod.ts";
import { authOperationsOf, jobOperationsOf, webhookOperationsOf } from "../../../../surface/mod.ts";
import { accountPathEntries } from "./account_paths.ts";
import { actionPathEntries } from "./action_paths.ts";
import { securitySchemesOf } from "./component_names.ts";
import { Components } from "./components.ts";
import { filePathEntries } from "./file_paths.ts";
import { operationPathEntries } from "./operation_paths.ts";
import {
  ACCOUNTS_TAG,
  JOBS_TAG,
  type PathEntry,
  pathsOf,
  SERVICE_TAG,
  WEBHOOKS_TAG,
} from "./path_entry.ts";
import type { Describing } from "./resource_schemas.ts";
import { servicePathEntries } from "./service_paths.ts";
import { eventWebhooks, webhookPathEntries } from "./webhook_paths.ts";

/** As it is served, so without indentation. */
export function emitOpenApi(model: ProjectModel, document = openApiDocument(model)): string {
  return `${JSON.stringify(document)}\n`;
}

export function openApiDocument(model: ProjectModel): JsonSchema {
  const components = new Components({ impersonators: model.auth.impersonation ?? false });
  const context: Describing = { project: model, components };
  const entries: readonly PathEntry[] = [
    ...operationPathEntries(context),
    ...filePathEntries(context),
    ...actionPathEntries(context),
    ...servicePathEntries(context),
    ...webhookPathEntries(context),
    ...accountPathEntries(context),
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
      ...model.resources.map(({ name, feature, description }) => ({
        name,
        description: [
          ...(description === undefined ? [] : [sentence(description)]),
          `Records of \`${name}\` in the feature \`${feature}\`.`,
        ].join(" "),
      })),
      { name: SERVICE_TAG, description: "The API itself." },
      ...(webhookOperationsOf(model).length > 0
        ? [{
          name: WEBHOOKS_TAG,
          description: "Events that are sent, and events that are received.",
        }]
        : []),
      ...(jobOperationsOf(model).length > 0
        ? [{ name: JOBS_TAG, description: "Work that was queued, and how it went." }]
        : []),
      ...(authOperationsOf(model).length > 0
        ? [{
          name: ACCOUNTS_TAG,
          description:
            "Accounts, sessions and organizations. The account library answers; what it refuses with is flat JSON.",
        }]
        : []),
    ],
    paths: pathsOf(entries),
    ...eventWebhooks(model),
    components: { securitySchemes: securitySchemesOf(model), ...components.toJSON() },
  };
}
