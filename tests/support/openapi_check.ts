/** Checks that an answer is one that an emitted OpenAPI document declares: operation, status, media type, headers, body. */
import { Ajv2020, type ValidateFunction } from "ajv/2020";
import addFormatsModule from "ajv-formats";
import { assertEquals } from "@std/assert";

/** One request and what came back. */
export interface Exchange {
  readonly method: string;
  /** With its query, which decides whether `fields` narrowed the records. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Text of the body, empty when there is none. */
  readonly body: string;
}

/** What is wrong with an exchange by the document; empty: nothing. `witness` is told what it is an example of. */
export type OpenApiCheck = (exchange: Exchange, witness?: Witness) => readonly string[];

/** Called with `getNotes 200` and, for each declared header that is there, `getNotes 200 etag`. */
export type Witness = (declared: string) => void;

/** The account library has more routes than the document lists. */
const ACCOUNT_PATH = /^\/(api\/auth|auth\/v2)\//;

/** A checker of one document. Validators are compiled on first use and kept. */
export function openApiCheck(documentText: string): OpenApiCheck {
  const document: unknown = JSON.parse(documentText);
  const whole = validatorsOf(document);
  // `required[]` says what is there without `fields` (definitions 7).
  let narrowed: Validators | null = null;
  const templates = Object.keys(objectAt(document, "paths"));
  return (exchange, witness = () => {}) => {
    const { pathname, searchParams } = new URL(exchange.path, "http://localhost");
    // The accounts answer at two bases in v1, of which the document lists the alias (definitions 7).
    const listed = pathname.replace(/^\/auth\/v1\//, "/api/auth/");
    const template = matching(templates, listed);
    if (template === null && ACCOUNT_PATH.test(listed)) return [];
    const method = exchange.method === "HEAD" ? "get" : exchange.method.toLowerCase();
    const pointer = ["paths", template ?? "", method];
    if (method === "options") return optionsFaults(exchange);
    if (
      template === null || isUncanonical(exchange) || valueAt(document, ...pointer) === undefined
    ) {
      return undeclaredFaults(exchange);
    }
    const validators = [...searchParams.keys()].some((name) => /^fields(\[|$)/.test(name))
      ? narrowed ??= validatorsOf(withoutRequiredColumns(document))
      : whole;
    return answerFaults(exchange, { document, pointer, validators, witness });
  };
}

/** Every answer that the document declares, as a witness of it is told. `default` is no status of its own. */
export function declaredAnswers(documentText: string): readonly string[] {
  const document: unknown = JSON.parse(documentText);
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.keys(isObject(item) ? item : {}).flatMap((method) => {
      const pointer = ["paths", path, method];
      const responses = Object.keys(objectAt(document, ...pointer, "responses"));
      return responses.filter((status) => status !== "default").flatMap((status) => {
        const answer = `${valueAt(document, ...pointer, "operationId")} ${status}`;
        const response = followed(document, [...pointer, "responses", status]) ?? [];
        const headers = Object.keys(objectAt(document, ...response, "headers"));
        return [answer, ...headers.map((name) => `${answer} ${name.toLowerCase()}`)];
      });
    })
  );
}

/** Fails the test when the answer is not declared. The response stays readable. */
export async function assertDescribed(
  check: OpenApiCheck,
  request: { readonly method: string; readonly path: string; readonly witness?: Witness },
  response: Response,
): Promise<void> {
  const { status, headers } = response;
  const { method, path, witness } = request;
  const body = await response.clone().text();
  const faults = check({ method, path, status, headers, body }, witness);
  assertEquals(faults, [], `${request.method} ${request.path} answered ${status}`);
}

interface Declared {
  readonly document: unknown;
  /** Of the operation. */
  readonly pointer: readonly string[];
  readonly validators: Validators;
}

interface DeclaredOperation extends Declared {
  readonly witness: Witness;
}

function answerFaults(exchange: Exchange, declared: DeclaredOperation): readonly string[] {
  const { document, validators, witness } = declared;
  const status = String(exchange.status);
  const responses = [...declared.pointer, "responses"];
  const response = followed(document, [...responses, status]) ??
    followed(document, [...responses, `${status.charAt(0)}XX`]) ??
    followed(document, [...responses, "default"]);
  if (response === null) return [`Status ${status} is not declared`];
  const answer = `${valueAt(document, ...declared.pointer, "operationId")} ${status}`;
  witness(answer);
  for (const name of Object.keys(objectAt(document, ...response, "headers"))) {
    if (exchange.headers.has(name)) witness(`${answer} ${name.toLowerCase()}`);
  }
  return [
    ...headerFaults(exchange, { document, pointer: response, validators }),
    ...bodyFaults(exchange, { document, pointer: response, validators }),
  ];
}

function headerFaults(
  { headers }: Exchange,
  { document, pointer, validators }: Declared,
): readonly string[] {
  const declared = Object.keys(objectAt(document, ...pointer, "headers"));
  const known = new Set([...EVERYWHERE, ...declared.map((name) => name.toLowerCase())]);
  const undeclared = [...headers.keys()].filter((name) => !known.has(name) && !isAuthored(name));
  return [
    ...undeclared.map((name) => `Header "${name}" is not declared`),
    ...declared.flatMap((name) =>
      declaredHeaderFaults(name, headers, { document, pointer, validators })
    ),
  ];
}

/** A header of a project's own middleware: no description knows of it. */
function isAuthored(name: string): boolean {
  return name.startsWith("x-") && name !== "x-request-id" && !name.startsWith("x-service-");
}

/** What the protocol, browsers, caches and proxies need is no part of a description. */
const EVERYWHERE = [
  "access-control-allow-credentials",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "cache-control",
  "connection",
  "content-disposition",
  "content-language",
  "content-length",
  "content-security-policy",
  "content-type",
  "date",
  "pragma",
  "referrer-policy",
  "set-cookie",
  "vary",
  "x-accel-buffering",
  "x-content-type-options",
];

function declaredHeaderFaults(
  name: string,
  headers: Headers,
  { document, pointer, validators }: Declared,
): readonly string[] {
  const header = followed(document, [...pointer, "headers", name]);
  if (header === null) return [`Header "${name}" is declared by a dead reference`];
  const value = headers.get(name);
  if (value === null) {
    return valueAt(document, ...header, "required") === true ? [`Header "${name}" is missing`] : [];
  }
  // Header values are texts; a number is compared as one.
  const typed = /^\d+$/.test(value) ? Number(value) : value;
  return validators.faults([...header, "schema"], typed).map((fault) => `Header ${name}${fault}`);
}

function bodyFaults(
  { method, headers, body }: Exchange,
  { document, pointer, validators }: Declared,
): readonly string[] {
  const declared = Object.keys(objectAt(document, ...pointer, "content"));
  if (method === "HEAD") return [];
  if (declared.length === 0) return body === "" ? [] : ["A body is not declared"];
  const mediaType = (headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  if (!declared.includes(mediaType)) {
    // A file is of whatever type its handler says.
    if (declared.includes("*/*")) return [];
    return [`Media type "${mediaType}" is not declared, only ${declared.join(", ")}`];
  }
  const parsed = mediaType.startsWith("text/") ? { value: body } : parsedJson(body);
  if (parsed === undefined) return [`The body is no JSON: ${body.slice(0, 200)}`];
  return validators.faults([...pointer, "content", mediaType, "schema"], parsed.value)
    .map((fault) => `Body${fault}`);
}

/** No operation answers `OPTIONS`: the router does, for every path that it knows. */
function optionsFaults(exchange: Exchange): readonly string[] {
  if (exchange.status !== 204) return undeclaredFaults(exchange);
  return exchange.headers.get("allow") ? [] : ['Header "Allow" is missing'];
}

/** A path in another spelling than its own is no route, though it looks like one. */
function isUncanonical({ path, status, body }: Exchange): boolean {
  return status === 404 && /%|\/\//.test(path.replace(/^https?:\/\//, "")) &&
    valueAt(parsedJson(body)?.value, "code") === "ROUTE_NOT_FOUND";
}

/** Whatever no operation declares must be refused as such (definitions 7, "Smaller answers"). */
function undeclaredFaults({ method, path, status, headers, body }: Exchange): readonly string[] {
  const parsed = parsedJson(body);
  const code = valueAt(parsed?.value, "code");
  const expected = UNDECLARED_CODES.get(status);
  if (expected === undefined || (method !== "HEAD" && code !== expected)) {
    return [`${method} ${path} is not declared, and answered ${status} ${String(code)}`];
  }
  return [
    ...(headers.get("content-type")?.startsWith("application/problem+json")
      ? []
      : ["The refusal is no problem document"]),
    ...(status === 405 && !headers.get("allow") ? ['Header "Allow" is missing'] : []),
  ];
}

const UNDECLARED_CODES: ReadonlyMap<number, string> = new Map([
  [400, "HOST_INVALID"],
  [404, "ROUTE_NOT_FOUND"],
  [405, "METHOD_NOT_ALLOWED"],
]);

export interface Validators {
  faults(pointer: readonly string[], value: unknown): readonly string[];
}

/** Of the places of a document that hold schemas. */
export function validatorsOf(document: unknown): Validators {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats(ajv);
  if (!isObject(document)) throw new Error("The document is no object");
  ajv.addSchema(document, "openapi");
  const compiled = new Map<string, ValidateFunction>();
  return {
    faults(pointer, value) {
      const fragment = pointer.map(fragmentToken).join("/");
      const validate = compiled.get(fragment) ?? ajv.compile({ $ref: `openapi#/${fragment}` });
      compiled.set(fragment, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map((error) =>
        `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`
      );
    },
  };
}

function addFormats(ajv: Ajv2020): void {
  // The package is CommonJS: its default export arrives wrapped or not.
  const plugin: unknown = "default" in addFormatsModule
    ? addFormatsModule.default
    : addFormatsModule;
  if (typeof plugin !== "function") throw new Error("ajv-formats exports no plugin");
  plugin(ajv);
  // Of OpenAPI's registry of formats, not of the package's.
  ajv.addFormat("decimal", /^-?\d+(?:\.\d+)?$/);
}

function withoutRequiredColumns(document: unknown): unknown {
  const copy: unknown = structuredClone(document);
  for (const [name, schema] of Object.entries(objectAt(copy, "components", "schemas"))) {
    if (/(Record|Read)$/.test(name) && isObject(schema)) delete schema["required"];
  }
  return copy;
}

/** The template with the fewest placeholders that fits. `batch` is no id (contract 4.1), whatever stands for one. */
function matching(templates: readonly string[], pathname: string): string | null {
  const segments = pathname.split("/");
  const fitting = templates.filter((template) => {
    const parts = template.split("/");
    return parts.length === segments.length &&
      parts.every((part, index) =>
        (part.startsWith("{") && !["", "batch"].includes(segments[index] ?? "")) ||
        part === segments[index]
      );
  });
  const placeholders = (template: string) => template.split("{").length;
  return fitting.sort((a, b) => placeholders(a) - placeholders(b))[0] ?? null;
}

/** The place that a pointer means, its reference followed; null when nothing is there. */
function followed(document: unknown, pointer: readonly string[]): readonly string[] | null {
  const value = valueAt(document, ...pointer);
  if (value === undefined) return null;
  const reference = valueAt(value, "$ref");
  return typeof reference === "string" ? reference.replace(/^#\//, "").split("/") : pointer;
}

function fragmentToken(token: string): string {
  return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    value,
  );
}

function objectAt(value: unknown, ...keys: readonly string[]): Record<string, unknown> {
  const found = valueAt(value, ...keys);
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
