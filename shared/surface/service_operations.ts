/** The endpoints of a generated API that belong to no resource (contract 4.7, definitions 7). */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { RuntimeCode } from "../contract/codes.ts";
import type { ProjectModel } from "../model/project.ts";
import type { JsonSchema } from "./parameters.ts";

export interface ServiceOperation {
  readonly id: "serviceHealth" | "serviceOpenApi" | "serviceToken";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** `session`: a cookie and nothing else. */
  readonly auth: "none" | "any" | "session";
  readonly body: JsonSchema | null;
  readonly success: JsonSchema;
  readonly example: JsonSchema;
  /** Also answered with the success body. */
  readonly otherStatuses: readonly number[];
  readonly codes: readonly RuntimeCode[];
}

export function serviceOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  return [
    health(project),
    ...(project.openapi.generate && project.openapi.publish !== false ? [openApi(project)] : []),
    ...(project.auth.jwt === null ? [] : [token(project)]),
  ];
}

function health(project: ProjectModel): ServiceOperation {
  return {
    id: "serviceHealth",
    method: "GET",
    path: "/health",
    summary: "Report whether the API is up",
    description: "Answers 503 with the same body when the database does not answer.",
    auth: "none",
    body: null,
    success: closed({
      status: { type: "string", enum: ["ok", "unavailable"] },
      database: { type: "string", enum: ["ok", "failed"] },
      contract: { const: project.contract },
    }),
    example: { status: "ok", database: "ok", contract: project.contract },
    otherStatuses: [503],
    codes: ["HOST_INVALID", "INTERNAL_ERROR"],
  };
}

function openApi({ openapi, auth }: ProjectModel): ServiceOperation {
  const isOpen = openapi.publish === "public";
  const codes: readonly RuntimeCode[] = [
    "AUTH_INVALID_TOKEN",
    ...(auth.jwt === null ? [] : ["AUTH_EXPIRED" as const]),
    "AUTH_MISSING",
    ...(openapi.publish === "admin" ? ["ACCESS_ROLE_REQUIRED" as const] : []),
  ];
  return {
    id: "serviceOpenApi",
    method: "GET",
    path: "/openapi.json",
    summary: "Read this description",
    description: "The OpenAPI document of this API.",
    auth: isOpen ? "none" : "any",
    body: null,
    success: {
      type: "object",
      properties: { openapi: { const: "3.1.0" } },
      required: ["openapi"],
    },
    example: { openapi: "3.1.0" },
    otherStatuses: [],
    codes: ["HOST_INVALID", "INTERNAL_ERROR", ...(isOpen ? [] : codes)],
  };
}

function token(project: ProjectModel): ServiceOperation {
  const expiresIn = project.auth.jwt?.expiresIn ?? 0;
  return {
    id: "serviceToken",
    method: "POST",
    path: `${CONTRACT_VERSIONS[project.contract].apiBase}/token`,
    summary: "Mint a bearer token for the session",
    description:
      "Takes a session cookie only. The token carries the caller's roles in the named organization, or in the active one.",
    auth: "session",
    body: {
      type: "object",
      properties: { organizationId: { type: "string", minLength: 1 } },
      additionalProperties: false,
    },
    success: closed({
      token: { type: "string" },
      tokenType: { const: "Bearer" },
      expiresIn: { type: "integer", description: "Seconds." },
      expiresAt: { type: "string", format: "date-time" },
    }),
    example: {
      token: "<token>",
      tokenType: "Bearer",
      expiresIn,
      expiresAt: "2026-01-31T10:35:30.000Z",
    },
    otherStatuses: [],
    codes: [
      "HOST_INVALID",
      "AUTH_MISSING",
      "AUTH_INVALID_TOKEN",
      "AUTH_SESSION_REQUIRED",
      "ORIGIN_FORBIDDEN",
      "FIREWALL_ORG_ISOLATION",
      "UNSUPPORTED_MEDIA_TYPE",
      "PAYLOAD_TOO_LARGE",
      "INVALID_JSON",
      "VALIDATION_ERROR",
      "INTERNAL_ERROR",
    ],
  };
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
