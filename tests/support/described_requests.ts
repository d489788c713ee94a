/** Requests that an OpenAPI document allows, and such that are wrong in one place. */
import { listItem } from "../../shared/lib/value_list.ts";
import { type ApiUnderTest, isRecord } from "./api.ts";
import { validatorsOf } from "./openapi_check.ts";
import { settledChangeset } from "./described_changesets.ts";
import type { Random } from "./random.ts";
import { type Schema, type ValueMaker, valueOf } from "./schema_values.ts";

export interface MadeRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none is sent. */
  readonly body?: unknown;
  /** What was changed is the body. */
  readonly isBodyBent?: boolean;
}

interface Described {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Schema[];
  readonly body: Schema | null;
  readonly bodyPointer: readonly string[];
  readonly isBodyRequired: boolean;
}

export interface RequestMaker {
  /** Allowed by the document in all that it says. */
  valid(): MadeRequest;
  /** A valid one, changed in one place. */
  bent(): MadeRequest;
  /** Whether the document allows the body; beside it, nothing of the request was changed. */
  isAllowed(request: MadeRequest): boolean;
  /** Remembers what an answer tells: later requests name it. */
  learn(request: MadeRequest, body: unknown): void;
}

export function requestMaker(
  documentText: string,
  { random, isAsked }: {
    readonly random: Random;
    readonly isAsked: (operationId: string) => boolean;
  },
): RequestMaker {
  const document: Schema = JSON.parse(documentText);
  const resolve = (schema: Schema): Schema => {
    const reference = schema["$ref"];
    if (typeof reference !== "string") return schema;
    const found = reference.slice(2).split("/").reduce<unknown>(
      (value, key) => isRecord(value) ? value[key.replaceAll("~1", "/")] : undefined,
      document,
    );
    if (!isRecord(found)) throw new Error(`${reference} leads nowhere`);
    return resolve(found);
  };
  const operations = operationsIn(document, resolve).filter(({ operationId }) =>
    isAsked(operationId)
  );
  const validators = validatorsOf(document);
  const ids = new Map<string, string[]>();
  const valid = () => {
    const operation = random.pick(operations);
    const known = (name: string) => knownValue(name, { operation, ids, random });
    return requestFor(operation, { random, resolve, known });
  };
  return {
    valid,
    bent: () => bentRequest(valid(), random),
    isAllowed({ operationId, isBodyBent, body }) {
      const operation = operations.find((one) => one.operationId === operationId);
      return isBodyBent === true && operation !== undefined &&
        !BEYOND_SCHEMAS.test(JSON.stringify(body)) &&
        validators.faults(operation.bodyPointer, body).length === 0;
    },
    learn({ path }, body) {
      for (const id of idsIn(body)) {
        const home = homeOf(path);
        const all = ids.get(home) ?? [];
        ids.set(home, [...all, id].slice(-20));
      }
    },
  };
}

/** `/api/v1/tickets/x/resolve` → `tickets`. */
function homeOf(path: string): string {
  const [, , second = "", third = "", fourth = ""] = path.split("?")[0]?.split("/") ?? [];
  return second === "v1" && third === "inbound" ? `${third}/${fourth}` : third;
}

function idsIn(body: unknown): readonly string[] {
  if (!isRecord(body)) return [];
  const { id, data, success } = body;
  const listed = [data, success].flatMap((list) => Array.isArray(list) ? list.flatMap(idsIn) : []);
  return typeof id === "string" ? [id, ...listed] : listed;
}

function knownValue(
  name: string,
  { operation, ids, random }: {
    readonly operation: Described;
    readonly ids: ReadonlyMap<string, readonly string[]>;
    readonly random: Random;
  },
): string | undefined {
  const named = name === "id" || name === "ids"
    ? homeOf(operation.path)
    : /^(\w+)Id(?:\.\w+)?$/.exec(name)?.[1];
  if (named === undefined) return undefined;
  const homes = [...ids.keys()].filter((home) => home.startsWith(named.slice(0, 6).toLowerCase()));
  const [home] = homes;
  const all = home === undefined ? [] : ids.get(home) ?? [];
  return all.length === 0 ? undefined : random.pick(all);
}

function operationsIn(document: Schema, resolve: (schema: Schema) => Schema): readonly Described[] {
  return entriesOf(document["paths"]).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => {
      const { operationId, parameters, requestBody } = operation;
      const content = isRecord(requestBody) ? entriesOf(requestBody["content"]) : [];
      const json = content.find(([type]) => type === "application/json")?.[1]["schema"];
      return {
        operationId: String(operationId),
        method: method.toUpperCase(),
        path,
        parameters: Array.isArray(parameters) ? parameters.map(resolve) : [],
        body: isRecord(json) ? json : null,
        bodyPointer: [
          "paths",
          path,
          method,
          "requestBody",
          "content",
          "application/json",
          "schema",
        ],
        isBodyRequired: isRecord(requestBody) && requestBody["required"] === true,
      };
    })
  );
}

function entriesOf(value: unknown): readonly (readonly [string, Schema])[] {
  return Object.entries(isRecord(value) ? value : {}).flatMap(([key, inner]) =>
    isRecord(inner) ? [[key, inner] as const] : []
  );
}

function requestFor(operation: Described, maker: ValueMaker): MadeRequest {
  const { random } = maker;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) =>
      one["in"] === "path" && one["name"] === name
    );
    return encodeURIComponent(textOf(pathValue(parameter, maker, name)));
  });
  const asked = together(
    operation.parameters.filter((one) =>
      one["in"] !== "path" && (one["required"] === true || random.chance(12))
    ),
  );
  const values = asked.map((one) =>
    [one, valueOf(schemaOf(one), maker, String(one["name"]))] as const
  );
  const query = values.filter(([one]) => one["in"] === "query")
    .flatMap(([one, value]) => pairsOf(one, value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${queryText(name, value)}`);
  const headers = values.filter(([one]) => one["in"] === "header")
    .map(([one, value]) => [String(one["name"]).toLowerCase(), textOf(value)] as const);
  const hasBody = operation.body !== null && (operation.isBodyRequired || random.chance(70));
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: query.length === 0 ? path : `${path}?${query.join("&")}`,
    headers: Object.fromEntries(headers.filter(([, value]) => /^[\x20-\x7e]*$/.test(value))),
    ...(hasBody && operation.body ? { body: settled(valueOf(operation.body, maker), random) } : {}),
  };
}

/** An object that is exploded has its members for parameters. */
function pairsOf(parameter: Schema, value: unknown): readonly (readonly [string, unknown])[] {
  return parameter["explode"] === true && isRecord(value)
    ? Object.entries(value)
    : [[String(parameter["name"]), value]];
}

/** An id is what a path can hold: no text of OpenAPI says so of a path parameter. */
function pathValue(parameter: Schema | undefined, maker: ValueMaker, name: string): unknown {
  const schema = parameter ? maker.resolve(schemaOf(parameter)) : {};
  const isFree = schema["type"] === "string" && !("enum" in schema) && !("pattern" in schema);
  return valueOf(isFree ? { ...schema, pattern: "^[A-Za-z0-9_-]{1,40}$" } : schema, maker, name);
}

function schemaOf(parameter: Schema): Schema {
  return isRecord(parameter["schema"]) ? parameter["schema"] : {};
}

/**
 * What the texts of parameters say of one another, and no schema can: a page is either by offset or by cursor, a cursor is one
 * that was given out, columns of a target need its `include`, whose own column must be answered, and conditions name fields.
 */
function together(parameters: readonly Schema[]): readonly Schema[] {
  const isLoose = (name: string) =>
    !/^(?:starting_after|ending_before|where|fields\[\w+\])$/.test(name);
  const names = parameters.map(({ name }) => String(name));
  return parameters.filter(({ name }) =>
    isLoose(String(name)) && !(name === "fields" && names.includes("include"))
  );
}

/** What no schema can say of several members of a list. */
function settled(body: unknown, random: Random): unknown {
  return settledChangeset(distinct(body), random);
}

/** Ids that a batch names twice are refused one by one, as no schema can say of members of objects. */
function distinct(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body["records"])) return body;
  const records: readonly unknown[] = body["records"];
  const byId = new Map(
    records.map((one, at) => [isRecord(one) && one["id"] !== undefined ? one["id"] : at, one]),
  );
  return { ...body, records: [...byId.values()] };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Form style, not exploded; an item with a comma or a quote stands in quotes. */
function queryText(name: unknown, given: unknown): string {
  const value = name === "sort" && Array.isArray(given) ? sortedOnce(given) : given;
  return Array.isArray(value)
    ? value.map((one) => encodeURIComponent(listItem(textOf(one)))).join(",")
    : encodeURIComponent(textOf(value));
}

/** No field twice, in whatever direction: so says the parameter's text. */
function sortedOnce(fields: readonly unknown[]): readonly unknown[] {
  return [...new Map(fields.map((field) => [String(field).replace("-", ""), field])).values()];
}

const ODD_VALUES: readonly unknown[] = [
  null,
  "",
  "\0",
  "\ud800",
  -1,
  1e300,
  2 ** 60,
  true,
  [],
  {},
  [[]],
  { "$ref": "x" },
  "x".repeat(5000),
  "__proto__",
];

/** Refused in any body, as no exact text or number or as no member (RFC 7493): no schema says so. */
const BEYOND_SCHEMAS = /\\ud800|__proto__|\d{17}/;

function bentRequest(request: MadeRequest, random: Random): MadeRequest {
  switch (random.below(5)) {
    case 0:
      return {
        ...request,
        path: `${request.path}${request.path.includes("?") ? "&" : "?"}${
          random.pick([
            "x=1",
            "limit=%00",
            "limit=1&limit=1",
            "limit=1e9",
            "fields=",
            "sort=,",
            "=",
            "%zz=1",
            "include=x",
          ])
        }`,
      };
    case 1:
      return {
        ...request,
        headers: {
          ...request.headers,
          ...random.pick([
            { "if-match": '"1"' },
            { "if-none-match": "*" },
            { "idempotency-key": "a b" },
            { "idempotency-key": "x".repeat(300) },
            { "content-type": "text/plain" },
            { "content-encoding": "gzip" },
          ]),
        },
      };
    case 2:
      return {
        ...request,
        path: request.path.replace(
          /[^/?]+(?=\?|$)/,
          random.pick(["%00", "..", "a%2Fb", "%F0", "a%20b", "x".repeat(3000), "-1", "1.0", "0x1"]),
        ),
      };
    default:
      return "body" in request
        ? { ...request, body: bentBody(request.body, random), isBodyBent: true }
        : request;
  }
}

function bentBody(body: unknown, random: Random): unknown {
  if (Array.isArray(body) && body.length > 0 && random.chance(80)) {
    const at = random.below(body.length);
    return body.map((one: unknown, index) => index === at ? bentBody(one, random) : one);
  }
  if (!isRecord(body) || random.chance(10)) return random.pick(ODD_VALUES);
  const names = Object.keys(body);
  const name = names.length === 0 || random.chance(20)
    ? random.pick(["extra", "id", "createdAt", "__proto__", "organizationId"])
    : random.pick(names);
  const { [name]: value, ...rest } = body;
  if (random.chance(20)) return rest;
  const inner = typeof value === "object" && value !== null && random.chance(60)
    ? bentBody(value, random)
    : random.pick(ODD_VALUES);
  return Object.fromEntries([...Object.entries(rest), [name, inner]]);
}

/** The request as a client sends it. */
export function sendMade(
  api: ApiUnderTest,
  request: MadeRequest,
  as: Parameters<ApiUnderTest["ask"]>[1],
) {
  const { method, path, headers, body } = request;
  return api.ask(path, {
    ...as,
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? JSON.stringify(body) : body }),
  });
}
