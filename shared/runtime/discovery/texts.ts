/** `/llms.txt` behind the gate and `/robots.txt` for everyone (contract 4.7, 5.5). */
import { DISCOVERY_PATHS, isPublished } from "../../surface/discovery_operations.ts";
import { llmsText } from "../../surface/llms_text.ts";
import type { AppContext } from "../context.ts";
import type { Endpoint } from "../gate.ts";
import { publicDocument, publishedDocument } from "./documents.ts";

const PLAIN = { "content-type": "text/plain; charset=utf-8" };

export function llmsEndpoint({ project, settings }: AppContext): Endpoint {
  const text = llmsText(project, settings.baseUrl);
  return publishedDocument(
    "llmsTxt",
    { path: DISCOVERY_PATHS.llms, text, headers: PLAIN },
    project,
  );
}

/** RFC 9309. Crawlers have nothing to find in records; the description is theirs where it is everyone's. */
export function robotsEndpoint({ project }: AppContext): Endpoint {
  const isOpen = isPublished(project) && project.openapi.publish === "public";
  const allowed = isOpen
    ? [DISCOVERY_PATHS.docs, DISCOVERY_PATHS.llms, DISCOVERY_PATHS.openapi]
    : [];
  const lines = ["User-agent: *", ...allowed.map((path) => `Allow: ${path}`), "Disallow: /"];
  const text = `${lines.join("\n")}\n`;
  return publicDocument(
    "robotsTxt",
    { path: DISCOVERY_PATHS.robots, text, headers: PLAIN },
    project,
  );
}
