/** Writes `openapi.json`, which is computed from the surface alone (contract 4.7, 9.3). The same model gives the same bytes. */
import { sentence } from "../../../../lib/texts.ts";
import type { ProjectModel } from "../../../../model/mod.ts";
import type { JsonSchema } from "../../../../surface/mod.ts";
import { accountRoutesOf, ACCOUNTS_TAG, actionOperationsOf } from "../../../../surface/mod.ts";
import { fileAddressOperationsOf, fileOperationsOf, JOBS_TAG } from "../../../../surface/mod.ts";
import { operationsOf, REFERENCE_SCHEMA, SERVICE_TAG } from "../../../../surface/mod.ts";
import { systemRoutesOf, WEBHOOKS_TAG } from "../../../../surface/mod.ts";
import { accountPartsOf } from "./account_parts.ts";
import { actionParts } from "./action_parts.ts";
import { securitySchemesOf } from "./component_names.ts";
import { Components } from "./components.ts";
import { eventWebhooks } from "./event_webhooks.ts";
import { fileParts } from "./file_parts.ts";
import { pathsOf } from "./path_entry.ts";
import { recordParts } from "./record_parts.ts";
import type { Describing } from "./resource_schemas.ts";
import { pathEntries, systemParts } from "./route_object.ts";

/** Returns the document's text as it is served, without indentation. */
export function emitOpenApi(model: ProjectModel, document = openApiDocument(model)): string {
  return `${JSON.stringify(document)}\n`;
}

export function openApiDocument(model: ProjectModel): JsonSchema {
  const components = new Components({ impersonators: model.auth.impersonation ?? false });
  const context: Describing = { project: model, components };
  const systemRoutes = systemRoutesOf(model);
  const accountRoutes = accountRoutesOf(model);
  const authored = [
    ...pathEntries(operationsOf(model), recordParts, context),
    ...pathEntries(fileOperationsOf(model), fileParts, context),
    ...pathEntries(fileAddressOperationsOf(model), systemParts, context),
    ...pathEntries(actionOperationsOf(model), actionParts, context),
  ];
  if (model.changeset) components.refer("schemas", "ChangesetReference", () => REFERENCE_SCHEMA);
  const entries = [
    ...authored,
    ...pathEntries(systemRoutes, systemParts, context),
    ...pathEntries(accountRoutes, accountPartsOf(accountRoutes), context),
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
      ...(systemRoutes.some(({ tag }) => tag === WEBHOOKS_TAG)
        ? [{
          name: WEBHOOKS_TAG,
          description: "Events that are sent, and events that are received.",
        }]
        : []),
      ...(systemRoutes.some(({ tag }) => tag === JOBS_TAG)
        ? [{ name: JOBS_TAG, description: "Work that was queued, and how it went." }]
        : []),
      ...(accountRoutes.length > 0
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
