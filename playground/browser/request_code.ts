/** Writes a request as text to paste: a shell command, or a call of the typed client (docs/client.md). */
import type { ApiRequest, Table } from "../protocol.ts";
import { parsedJson } from "../../shared/lib/json.ts";

/** Writes the `curl` command. `$TOKEN` is a placeholder for the caller's credential, which the page does not have. */
export function curlText({ as, method, path, headers, body }: ApiRequest, origin: string): string {
  const given = [
    ...(as === null ? [] : ["authorization: Bearer $TOKEN"]),
    ...headers.map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...given.map((header) => header.includes("$TOKEN") ? `-H "${header}"` : `-H ${quoted(header)}`),
    ...(body === null ? [] : [`-d ${quoted(compact(body))}`]),
    quoted(origin + path),
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function compact(body: string): string {
  const value = parsedJson(body);
  return value === undefined ? body : JSON.stringify(value);
}

/** Writes the client's call; null if the client has none for the request. */
export function clientText(request: ApiRequest, tables: readonly Table[]): string | null {
  const [path = "", search = ""] = request.path.split("?");
  const table = tables.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (table === undefined) return null;
  const call = methodCall(
    request.method,
    path.slice(table.path.length).split("/").slice(1).map(decodeURIComponent),
    search === "" ? null : queryText(search),
    request.body === null ? null : compact(request.body),
  );
  return call === null ? null : `await api.resource(${JSON.stringify(table.name)}).${call};`;
}

function methodCall(
  method: ApiRequest["method"],
  [first, second, third]: readonly string[],
  query: string | null,
  body: string | null,
): string | null {
  if (third !== undefined) return null;
  const id = first === undefined ? null : JSON.stringify(first);
  const last = query === null ? "" : query;
  if (id === null) {
    if (method === "GET") return `list(${last})`;
    return method === "POST" ? `create(${body ?? "{}"})` : null;
  }
  if (first === "views" && second !== undefined && method === "GET") {
    return `view(${memberName(second)}).list(${last})`;
  }
  if (first === "batch") {
    if (method === "POST" && second) return `runMany(${memberName(second)}, ${body ?? "{}"})`;
    const verb = BATCH[method];
    return verb === undefined || second !== undefined ? null : `${verb}(${body ?? "{}"})`;
  }
  if (second !== undefined) {
    return method === "POST" ? `run(${memberName(second)}, ${id}, ${body ?? "{}"})` : null;
  }
  if (method === "GET") return query === null ? `get(${id})` : `get(${id}, ${query})`;
  if (method === "PATCH") return `update(${id}, ${body ?? "{}"})`;
  if (method === "PUT") return `upsert(${id}, ${body ?? "{}"})`;
  return method === "DELETE" ? `delete(${id})` : null;
}

const BATCH: Readonly<Partial<Record<ApiRequest["method"], string>>> = {
  POST: "createBatch",
  PATCH: "updateBatch",
  PUT: "upsertBatch",
  DELETE: "deleteBatch",
};

/** Turns a hyphenated segment into a member name without hyphens. */
export function memberName(segment: string): string {
  return JSON.stringify(segment.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** Parameters that the client takes as lists or numbers. */
const LISTS = /^(?:sort|fields|include|fields\[.+\]|.+\.(?:in|nin))$/;
const NUMBERS = /^(?:limit|offset)$/;

function queryText(search: string): string {
  const members = [...new URLSearchParams(search)].map(([key, value]) => {
    const written = LISTS.test(key)
      ? JSON.stringify(value.split(","))
      : NUMBERS.test(key) && /^\d+$/.test(value)
      ? value
      : JSON.stringify(value);
    return `${/^[a-zA-Z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${written}`;
  });
  return `{ ${members.join(", ")} }`;
}
