/** `/llms.txt`: what an API offers, for language models (llmstxt.org; contract 4.7). */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import { markdownText } from "../lib/markdown_text.ts";
import type { ProjectModel } from "../model/project.ts";
import { type ActionOperation, actionOperationsOf } from "./action_operations.ts";
import { isPublic, rolesNamedBy } from "./admission.ts";
import { authBaseOf } from "./auth_operations.ts";
import { DISCOVERY_PATHS } from "./discovery_operations.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { MCP_PATH } from "./mcp_operation.ts";
import { broadcastNames, eventsPath } from "./realtime_operation.ts";

export function llmsText(project: ProjectModel, baseUrl: string): string {
  const { apiBase } = CONTRACT_VERSIONS[project.contract];
  const operations = operationsOf(project);
  const actions = actionOperationsOf(project).filter(({ kind }) => kind !== "bulkAction");
  const resources = [
    ...new Set([...operations, ...actions].flatMap(({ resource }) => resource?.name ?? [])),
  ];
  const others = actions.filter(({ resource }) => resource === null);
  return `${
    [
      `# ${markdownText(project.name)}`,
      `> A JSON API below ${baseUrl}${apiBase}. Every request passes authentication, tenant isolation, roles and field rules.`,
      `- [OpenAPI description](${baseUrl}${DISCOVERY_PATHS.openapi}): every operation, parameter and answer\n- [AsyncAPI description](${baseUrl}${DISCOVERY_PATHS.asyncapi}): what the API sends by itself${
        toolsLine(project, baseUrl)
      }`,
      "## Authentication",
      authenticationText(project, baseUrl),
      ...resources.flatMap((name) => [
        `## ${markdownText(name)}`,
        [
          ...operations.filter(({ resource }) => resource.name === name).map(lineOf),
          ...actions.filter(({ resource }) => resource?.name === name).map(actionLine),
        ].join("\n"),
      ]),
      ...(others.length === 0 ? [] : ["## Actions", others.map(actionLine).join("\n")]),
      ...realtimeText(project),
      "## Errors",
      "Refusals are `application/problem+json` (RFC 9457): `code` says what, `hint` says the way out. 429 is flat JSON with `Retry-After`.",
    ].join("\n\n")
  }\n`;
}

function realtimeText(project: ProjectModel): readonly string[] {
  if (!project.realtime.enabled) return [];
  const names = broadcastNames(project).map((name) => `\`${name}\``).join(", ");
  return [
    "## Realtime",
    `- \`GET ${
      eventsPath(project)
    }\` (any signed-in caller): Server-Sent Events or a WebSocket; \`resources\` narrows it to some of: ${names}`,
  ];
}

function toolsLine({ agents }: ProjectModel, baseUrl: string): string {
  return agents.mcp
    ? `\n- [Model Context Protocol](${baseUrl}${MCP_PATH}): the same as tools, for an API key or a bearer token`
    : "";
}

function authenticationText(project: ProjectModel, baseUrl: string): string {
  const { apiBase } = CONTRACT_VERSIONS[project.contract];
  return [
    `- Session cookie: sign in at \`POST ${baseUrl}${authBaseOf(project)}/sign-in/email\``,
    "- API key: the header `x-api-key`",
    ...(project.auth.jwt === null
      ? []
      : [`- Bearer token: \`POST ${baseUrl}${apiBase}/token\` with a session cookie`]),
  ].join("\n");
}

function lineOf(operation: Operation | ActionOperation): string {
  const { method, path, access } = operation;
  const roles = rolesNamedBy(access);
  const who = isPublic(access) ? "anyone" : roles.length === 0 ? "by rule" : roles.join(", ");
  return `- \`${method} ${path}\` (${markdownText(who)})`;
}

/** Only its author knows what an action does. */
function actionLine(operation: ActionOperation): string {
  return `${lineOf(operation)}: ${markdownText(operation.action.description)}`;
}
