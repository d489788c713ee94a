/** Security schemes and requirements (contract 5.1). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";

export function securitySchemesOf({ auth }: ProjectModel): JsonSchema {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "better-auth.session_token",
      description:
        "The session that signing in sets. Under https the name begins with `__Secure-`.",
    },
    apiKey: {
      type: "apiKey",
      in: "header",
      name: "x-api-key",
      description: "A key of one user in one organization, made at `/api-key/create`.",
    },
    ...(auth.jwt === null ? {} : {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    }),
  };
}

/** Any of the schemes; where anonymous callers are admitted, also none. */
export function securityOf({ auth }: ProjectModel, isPublic: boolean): readonly JsonSchema[] {
  return [
    ...(auth.jwt === null ? [] : [{ bearer: [] }]),
    { session: [] },
    { apiKey: [] },
    ...(isPublic ? [{}] : []),
  ];
}

export const SESSION_ONLY: readonly JsonSchema[] = [{ session: [] }];
