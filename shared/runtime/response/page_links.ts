/** `Link` of a page: where the pages beside it are, relative and by the same query (RFC 8288). */
import { HEADERS } from "../../contract/headers.ts";
import type { RequestContext } from "../context.ts";

/** A query parameter that leads to another page. */
type PagePlace = readonly [name: string, value: string];

/** Null: there is no such page. */
interface PagesBeside {
  readonly next: PagePlace | null;
  readonly prev: PagePlace | null;
}

/** Parameters that say where the page itself is. */
const PLACES: readonly string[] = ["offset", "starting_after", "ending_before"];

/** The page with its links; nothing is said of it in a 304, whose reader holds it. */
export function linkedPage(
  page: Response,
  request: Pick<RequestContext, "path" | "search">,
  { next, prev }: PagesBeside,
): Response {
  if (page.status !== 200) return page;
  const links = [
    ...(next === null ? [] : [`${targetOf(request, next)}; rel="next"`]),
    ...(prev === null ? [] : [`${targetOf(request, prev)}; rel="prev"`]),
  ];
  if (links.length > 0) page.headers.set(HEADERS.link, links.join(", "));
  return page;
}

function targetOf(
  { path, search }: Pick<RequestContext, "path" | "search">,
  place: PagePlace,
): string {
  const query = new URLSearchParams(search);
  for (const name of PLACES) query.delete(name);
  query.set(...place);
  return `<${path}?${query}>`;
}
