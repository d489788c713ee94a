/** One endpoint of a generated API that belongs to no resource. */
import type { RuntimeCode } from "../contract/mod.ts";
import { COMMON_CODES } from "./codes.ts";
import type { JsonValue } from "../model/mod.ts";
import type { JsonSchema } from "./parameters.ts";
import type { Who } from "./who.ts";

export interface ServiceOperation {
  /** Unique in the document; begins with `service`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly who: Who;
  /** Of its query and header. */
  readonly parameters: readonly JsonSchema[];
  /** Its connection may become another protocol's. */
  readonly upgrades: boolean;
  readonly body: JsonSchema | null;
  readonly bodyExample: JsonValue;
  readonly isBodyRequired: boolean;
  readonly bodyMediaType: string;
  /** It takes an `Idempotency-Key`. */
  readonly isKeyed: boolean;
  /** Of the success body. */
  readonly mediaType: string;
  readonly success: JsonSchema;
  readonly example: JsonValue;
  /** Further media types of the success, where a caller accepts nothing else. */
  readonly otherContent: Readonly<Record<string, JsonSchema>>;
  /** A success that has nothing to say; null: there is none. */
  readonly emptyStatus: number | null;
  /** Also answered with the success body. */
  readonly otherStatuses: readonly number[];
  readonly successStatus: 200 | 201;
  /** A success that leads somewhere else; null: there is none. */
  readonly redirectStatus: 302 | 303 | null;
  /** Refusals that are no problem documents, because a protocol or a browser wants another form. */
  readonly refusals: Readonly<
    Record<number, { readonly mediaType: string; readonly schema: JsonSchema }>
  >;
  readonly codes: readonly RuntimeCode[];
  /** Answers from what was made at the start, to anybody: nothing in it can fail. */
  readonly isStatic: boolean;
}

type DeclaredMember =
  | "id"
  | "method"
  | "path"
  | "summary"
  | "description"
  | "who"
  | "success"
  | "codes";

/**
 * Completes an operation of the service: adds the codes of every endpoint; by default there is no body and the answer is
 * JSON.
 */
export function serviceOperation(
  declared: Pick<ServiceOperation, DeclaredMember> & Partial<ServiceOperation>,
): ServiceOperation {
  const common: readonly RuntimeCode[] = declared.isStatic ? ["HOST_INVALID"] : COMMON_CODES;
  return {
    parameters: [],
    upgrades: false,
    body: null,
    bodyExample: {},
    isBodyRequired: false,
    bodyMediaType: "application/json",
    isKeyed: false,
    mediaType: "application/json",
    example: {},
    otherContent: {},
    emptyStatus: null,
    otherStatuses: [],
    successStatus: 200,
    redirectStatus: null,
    refusals: {},
    isStatic: false,
    ...declared,
    codes: [...new Set<RuntimeCode>([...common, ...declared.codes])],
  };
}

/** The one at this path. Throws where there is none: every route is described. */
export function operationAt(
  path: string,
  operations: readonly ServiceOperation[],
): ServiceOperation {
  const found = operations.find((operation) => operation.path === path);
  if (!found) throw new Error(`The description has no route ${path}`);
  return found;
}

/** An object with exactly these members. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const TEXT: JsonSchema = { type: "string", minLength: 1 };
export const TIME: JsonSchema = { type: "string", format: "date-time" };

/** The schema with a description, and an example where one is given. */
export function described(
  description: string,
  schema: JsonSchema,
  example?: string | boolean,
): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}
