/** `openapi.json`: what the surface implies, and nothing else (contract 4.7, 9.3). The same model gives the same bytes. */
import { sentence } from "../../../../lib/texts.ts";
import type { ProjectModel } from "../../../../model/mod.ts";
import type { JsonSchema } from "../../../../surface/mod.ts";
import {
  ACCOUNTS_TAG,
  authOperationsOf,
  fileAddressOperationsOf,
} from "../../../../surface/mod.ts";
import { JOBS_TAG, REFERENCE_SCHEMA, SERVICE_TAG } from "../../../../surface/mod.ts";
import { type SystemRoute, systemRoutesOf, WEBHOOKS_TAG } from "../../../../surface/mod.ts";
import { accountPathEntries } from "./account_paths.ts";
import { actionPathEntries } from "./action_paths.ts";
import { securitySchemesOf } from "./component_names.ts";
import { Components } from "./components.ts";
import { eventWebhooks } from "./event_webhooks.ts";
import { filePathEntries } from "./file_paths.ts";
import { operationPathEntries } from "./operation_paths.ts";
import { pathEntry, systemParts } from "./route_object.ts";
import { type PathEntry, pathsOf } from "./path_entry.ts";
import type { Describing } from "./resource_schemas.ts";

/** As it is served, so without indentation. */
export function emitOpenApi(model: ProjectModel, document = openApiDocument(model)): string {
  return `${JSON.stringify(document)}\n`;
}

export function openApiDocument(model: ProjectModel): JsonSchema {
  const components = new Components({ impersonators: model.auth.impersonation ?? false });
  const context: Describing = { project: model, components };
  const describe = (route: SystemRoute) => pathEntry(route, systemParts(route, context), context);
  const systemRoutes = systemRoutesOf(model);
  const authored: readonly PathEntry[] = [
    ...operationPathEntries(context),
    ...filePathEntries(context),
    ...fileAddressOperationsOf(model).map(describe),
    ...actionPathEntries(context),
  ];
  if (model.changeset) components.refer("schemas", "ChangesetReference", () => REFERENCE_SCHEMA);
  const entries = [...authored, ...systemRoutes.map(describe), ...accountPathEntries(context)];
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
