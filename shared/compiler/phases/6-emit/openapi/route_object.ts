/** Writes all operation objects: the members from the route's record, and those of its subject (contract 4.1-4.7, 9.3). */
import type { RuntimeCode } from "../../../../contract/mod.ts";
import type { Access } from "../../../../model/mod.ts";
import type { Answer, Content, Grant, JsonSchema, Route } from "../../../../surface/mod.ts";
import type { SystemRoute } from "../../../../surface/mod.ts";
import { securityOf } from "./component_names.ts";
import type { Components } from "./components.ts";
import { headerParameter } from "./parameters.ts";
import { type PathEntry, templated } from "./path_entry.ts";
import type { Describing } from "./resource_schemas.ts";
import { answerHeaders, jsonContent, refusalResponses, writeHeaders } from "./responses.ts";

/** Members of an operation object that depend on a route's subject. */
export interface RouteParts {
  readonly summary: string;
  readonly description: string;
  /** Access rule of the project's own; absent: there is none. */
  readonly access?: Access;
  /** Name of the operation in permissions; absent: it has none. */
  readonly grant?: Grant;
  readonly isUnsafe?: boolean;
  readonly parameters: readonly JsonSchema[];
  readonly requestBody: JsonSchema | null;
  /** Responses by status. */
  readonly answers: JsonSchema;
  /** Codes of the refusals that are problem documents. */
  readonly codes: readonly RuntimeCode[];
  /** True when the route's action may refuse by itself, under any status. */
  readonly isAction?: boolean;
  readonly forms?: SystemRoute["forms"];
  /** Makes the responses that follow the refusals. */
  rest?(): JsonSchema;
}

/** Returns an entry of `paths` for each route. */
export function pathEntries<Described extends Route>(
  routes: readonly Described[],
  partsOf: (route: Described, context: Describing) => RouteParts,
  context: Describing,
): readonly PathEntry[] {
  return routes.map((route) => ({
    path: templated(route.path),
    method: route.method,
    operation: operationObject(route, partsOf(route, context), context),
  }));
}

function operationObject(
  { id, tag, method, who, keyed }: Route,
  parts: RouteParts,
  { project, components }: Describing,
): JsonSchema {
  const { summary, description, parameters, requestBody, answers, codes, isAction, forms } = parts;
  const refusing = {
    method,
    isKeyed: keyed,
    ...(isAction === undefined ? {} : { isAction }),
    ...(forms === undefined ? {} : { forms }),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(project, { who, ...parts }),
    ...(parts.isUnsafe ? { "x-unsafe": true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      ...refusalResponses(codes, refusing, components),
      ...answers,
      ...parts.rest?.(),
    },
  };
}

/** Returns the parts of a route of the service, whose record contains them all. */
export function systemParts(route: SystemRoute, { components }: Describing): RouteParts {
  const { summary, description, body, forms } = route;
  return {
    summary,
    description,
    parameters: [
      ...route.parameters,
      ...route.headers.map((name) => headerParameter(name, components)),
      ...(route.keyed ? [headerParameter("IdempotencyKey", components)] : []),
    ],
    requestBody: body && { required: body.isRequired, content: contentOf([body], components) },
    answers: answerObjects(route.answers, route, components),
    codes: route.codes(),
    forms,
  };
}

/** Returns responses by their status. */
export function answerObjects(
  answers: SystemRoute["answers"],
  route: Pick<SystemRoute, "method" | "keyed" | "writes">,
  components: Components,
): JsonSchema {
  const objects = Object.entries(answers).map(([status, answer]) =>
    [status, answerObject(answer, route, components)] as const
  );
  return Object.fromEntries(objects);
}

/** Returns a response, with the headers of every response of this method. */
function answerObject(
  { description, headers, content }: Answer,
  { method, keyed, writes }: Pick<SystemRoute, "method" | "keyed" | "writes">,
  components: Components,
): JsonSchema {
  if (headers === null) return { description };
  const named = Object.entries(headers).flatMap(([name, header]) =>
    typeof header === "string" ? [[name, header] as const] : []
  );
  const written = Object.entries(headers).filter(([, header]) => typeof header !== "string");
  return {
    description,
    headers: {
      ...answerHeaders(components, {
        ...Object.fromEntries(named),
        ...(writes ? writeHeaders(method, keyed) : {}),
      }),
      ...Object.fromEntries(written),
    },
    ...(content.length === 0 ? {} : { content: contentOf(content, components) }),
  };
}

function contentOf(content: readonly Content[], components: Components): JsonSchema {
  return Object.assign(
    {},
    ...content.map(({ mediaType, schema, example, name }) =>
      jsonContent(name === undefined ? schema : components.refer("schemas", name, () => schema), {
        mediaType,
        ...(example === undefined ? {} : { example }),
      })
    ),
  );
}
