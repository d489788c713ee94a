/** Documents that are the same for every caller, behind the publish gate or public (contract 5.5). */
import type { ProjectModel } from "../../model/project.ts";
import { discoveryOperationsOf } from "../../surface/discovery_operations.ts";
import { operationAt } from "../../surface/service_operation.ts";
import { type Endpoint, serviceGate } from "../gate.ts";
import { requirePublished } from "./publish_gate.ts";

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
    gate: serviceGate(operationAt(describedAt, discoveryOperationsOf(project))),
    async handle(request) {
      requirePublished(request);
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
    gate: serviceGate(operationAt(path, discoveryOperationsOf(project))),
    handle: () => Promise.resolve(new Response(text, { headers: all })),
  };
}
