/** `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1). */
import type { RuntimeCode } from "../../contract/codes.ts";
import type { ProjectModel } from "../../model/project.ts";
import { DISCOVERY_PATHS } from "../../surface/discovery_operations.ts";
import { MCP_PATH } from "../../surface/mcp_operation.ts";

/** Errors of a refused bearer token; a refusal that is no token's fault has none (RFC 6750, 3.1). */
const TOKEN_ERRORS: ReadonlyMap<RuntimeCode, string> = new Map([
  ["AUTH_INVALID_TOKEN", "The credentials are invalid"],
  ["AUTH_EXPIRED", "The credentials expired"],
  ["AUTH_RATE_LIMITED", "Too many invalid credentials"],
]);

interface ChallengeOptions {
  readonly project: ProjectModel;
  readonly baseUrl: string;
  /** Of the request. */
  readonly path: string;
}

export function challengeOf(
  code: RuntimeCode,
  { project, baseUrl, path }: ChallengeOptions,
): string {
  if (project.auth.jwt === null) return `ApiKey realm="${project.name}"`;
  // A resource with a description of its own is named by it (RFC 9728, 5.1).
  const metadataPath = path === MCP_PATH
    ? DISCOVERY_PATHS.mcpResource
    : DISCOVERY_PATHS.protectedResource;
  const description = TOKEN_ERRORS.get(code);
  return "Bearer " + [
    ...(description === undefined
      ? []
      : ['error="invalid_token"', `error_description="${description}"`]),
    `resource_metadata="${baseUrl}${metadataPath}"`,
  ].join(", ");
}
