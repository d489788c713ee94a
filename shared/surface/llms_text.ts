/** Writes `/llms.txt`, a summary of an API for language models (llmstxt.org; contract 4.7). */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import { markdownText } from "../lib/texts.ts";
import type { ProjectModel } from "../model/mod.ts";
import { type ActionOperation, actionOperationsOf } from "./action_operations.ts";
import { isPublic, rolesNamedBy } from "./admission.ts";
import { authBaseOf } from "./auth_operations.ts";
import { DISCOVERY_PATHS } from "./discovery_operations.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { MCP_PATH } from "./mcp_operation.ts";
import { isOauthServer } from "./oauth_operations.ts";
import { broadcastNames, eventsPath } from "./realtime.ts";

export function llmsText(project: ProjectModel, baseUrl: string): string {
  const { apiBase } = CONTRACT_VERSIONS[project.contract];
  const operations = operationsOf(project);
  const actions = actionOperationsOf(project).filter(({ kind }) => kind !== "bulkAction");
  const resources = [
    ...new Set([...operations, ...actions].flatMap(({ resource }) => resource?.name ?? [])),
  ];
  const others = actions.filter(({ resource }) => resource === null);
  const line = (operation: Operation | ActionOperation) => {
    // The link leads to the operation in the OpenAPI description. Only an author can describe an action's effect.
    const { method, path, access } = operation;
    const roles = rolesNamedBy(access);
    const who = isPublic(access) ? "anyone" : roles.length === 0 ? "by rule" : roles.join(", ");
    const does = "action" in operation ? `${markdownText(operation.action.description)}, ` : "";
    const url = `${baseUrl}${DISCOVERY_PATHS.openapi}${pointerTo(method, path)}`;
    return link(`${method} ${path}`, url, `${does}for ${markdownText(who)}`);
  };
  return `${
    [
      `# ${markdownText(project.name)}`,
      `> A JSON API below ${baseUrl}${apiBase}. Every request passes authentication, tenant isolation, roles and field rules.`,
      "Callers name themselves with one of:",
      authenticationText(project, baseUrl),
      "Refusals are `application/problem+json` (RFC 9457): `code` says what, `hint` says the way out. 429 is flat JSON with `Retry-After`.",
      "## Descriptions",
      descriptionsText(project, baseUrl),
      ...resources.flatMap((name) => [
        `## ${markdownText(name)}`,
        [...operations, ...actions].filter(({ resource }) => resource?.name === name)
          .map(line).join("\n"),
      ]),
      ...(others.length === 0 ? [] : ["## Actions", others.map(line).join("\n")]),
    ].join("\n\n")
  }\n`;
}

function descriptionsText(project: ProjectModel, baseUrl: string): string {
  const { openapi, asyncapi } = DISCOVERY_PATHS;
  return [
    link("OpenAPI description", baseUrl + openapi, "every operation, parameter and answer"),
    link("AsyncAPI description", baseUrl + asyncapi, "what the API sends by itself"),
    ...(project.agents.mcp
      ? [
        link(
          "Model Context Protocol",
          baseUrl + MCP_PATH,
          "the same as tools, for an API key or a bearer token",
        ),
      ]
      : []),
    ...(project.realtime.enabled ? [realtimeLine(project, baseUrl)] : []),
  ].join("\n");
}

function realtimeLine(project: ProjectModel, baseUrl: string): string {
  const names = broadcastNames(project).map((name) => `\`${name}\``).join(", ");
  const path = eventsPath(project);
  return link(
    `GET ${path}`,
    baseUrl + path,
    `Server-Sent Events or a WebSocket for any signed-in caller; \`resources\` narrows it to some of: ${names}`,
  );
}

/** Returns a line below a heading, in the only form that parsers of the format accept. */
function link(title: string, url: string, notes: string): string {
  return `- [${title}](${url}): ${notes}`;
}

function authenticationText(project: ProjectModel, baseUrl: string): string {
  const { apiBase } = CONTRACT_VERSIONS[project.contract];
  return [
    `- Session cookie: sign in at \`POST ${baseUrl}${authBaseOf(project)}/sign-in/email\``,
    "- API key: the header `x-api-key`",
    ...(project.auth.jwt === null
      ? []
      : [`- Bearer token: \`POST ${baseUrl}${apiBase}/token\` with a session cookie`]),
    ...(isOauthServer(project)
      ? [
        `- OAuth 2.1, for clients that a user allows something: ${baseUrl}${DISCOVERY_PATHS.authorizationServer}`,
      ]
      : []),
  ].join("\n");
}

/** Returns a JSON pointer as a URI fragment (RFC 6901, 6). */
function pointerTo(method: string, path: string): string {
  const token = path.replaceAll("/", "~1").replace(/:(\w+)/g, "%7B$1%7D");
  return `#/paths/${token}/${method.toLowerCase()}`;
}
