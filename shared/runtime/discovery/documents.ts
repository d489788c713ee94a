/** Documents that are the same for every caller, behind the publish gate or public (contract 5.5). */
import { PLATFORM_ROLES } from "../../contract/mod.ts";
import type { OpenApiModel, Principal, ProjectModel, PublishGate } from "../../model/mod.ts";
import { discoveryOperationsOf, holdsRole, routeAt } from "../../surface/mod.ts";
import { type Endpoint, serviceGate } from "../gate.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";

interface PublishedFile {
  readonly path: string;
  readonly describedAt?: string;
  read(): Response | Promise<Response>;
}

/** Endpoint of a published file, behind the gate that its operation declares. */
export function publishedEndpoint(
  id: string,
  { path, describedAt = path, read }: PublishedFile,
  project: ProjectModel,
): Endpoint {
  return {
    id,
    method: "GET",
    path,
    gate: serviceGate(routeAt(describedAt, discoveryOperationsOf(project))),
    async handle(request) {
      // Roles that may fetch the API's description (contract 5.5).
      const { openapi } = request.app.project;
      if (!mayReadDescription(openapi, request.principal)) {
        refuse("ACCESS_ROLE_REQUIRED", {
          details: {
            required: [...requiredBy(openapi.publish)],
            current: [...rolesHeldBy(request.principal)],
          },
        });
      }
      return await read();
    },
  };
}

interface FixedDocument {
  readonly path: string;
  /** Path in the description; absent: its own path. */
  readonly describedAt?: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function publishedDocument(
  id: string,
  { text, headers, ...place }: FixedDocument,
  project: ProjectModel,
): Endpoint {
  return publishedEndpoint(id, { ...place, read: () => new Response(text, { headers }) }, project);
}

const CACHE_SECONDS = 300;

export function publicDocument(
  id: string,
  { path, text, headers }: FixedDocument,
  project: ProjectModel,
): Endpoint {
  const all = { "cache-control": `public, max-age=${CACHE_SECONDS}`, ...headers };
  return {
    id,
    method: "GET",
    path,
    gate: serviceGate(routeAt(path, discoveryOperationsOf(project))),
    handle: () => Promise.resolve(new Response(text, { headers: all })),
  };
}

/** True when the gate lets this caller through. */
export function mayReadDescription({ publish }: OpenApiModel, principal: Principal): boolean {
  return requiredBy(publish).some((role) => holdsRole(principal, role));
}

function requiredBy(publish: PublishGate): readonly string[] {
  switch (publish) {
    case "public":
      return ["PUBLIC"];
    case "authenticated":
      return ["AUTHENTICATED"];
    case "admin":
      return PLATFORM_ROLES;
    case false:
      return [];
  }
}
