/** Documents that are the same for every caller, behind the publish gate or public (contract 5.5). */
import type { Endpoint } from "../router.ts";
import { requirePublished } from "./publish_gate.ts";

interface FixedDocument {
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function publishedDocument(id: string, { path, text, headers }: FixedDocument): Endpoint {
  return {
    id,
    method: "GET",
    path,
    async handle(request) {
      await requirePublished(request);
      return new Response(text, { headers });
    },
  };
}

const CACHE_SECONDS = 300;

export function publicDocument(id: string, { path, text, headers }: FixedDocument): Endpoint {
  const all = { "cache-control": `public, max-age=${CACHE_SECONDS}`, ...headers };
  return {
    id,
    method: "GET",
    path,
    handle: () => Promise.resolve(new Response(text, { headers: all })),
  };
}
