/**
 * Builds parts of the descriptions of account routes (contract 4.7). Each body and response is defined once, under
 * `components`.
 */
import { FORM_MEDIA_TYPE, isBodyOptional, isLinkRoute, isSchema } from "../../../../surface/mod.ts";
import { MEMBER, NAMED_ANSWERS, STATUS, SUCCESS, zodJson } from "../../../../surface/mod.ts";
import type { AuthOperation, JsonSchema } from "../../../../surface/mod.ts";
import * as envelopes from "../../../../surface/schema/envelopes.ts";
import type { Components } from "./components.ts";

import { cursorParameters } from "./parameters.ts";
import type { Describing } from "./resource_schemas.ts";
import type { RouteParts } from "./route_object.ts";
import {
  accountRefusal,
  accountRefusalContent,
  answerHeaders,
  jsonContent,
  type SentHeaders,
  writeHeaders,
} from "./responses.ts";

/** Returns a function that describes account routes; responses that several of them share are defined once. */
export function accountPartsOf(
  operations: readonly AuthOperation[],
): (operation: AuthOperation, context: Describing) => RouteParts {
  const shared = sharedAnswers(operations);
  return (operation, { components }) => accountParts(operation, shared, components);
}

function accountParts(
  operation: AuthOperation,
  shared: ReadonlySet<string>,
  components: Components,
): RouteParts {
  const { summary, body, bodyExample } = operation;
  const isLink = isLinkRoute(operation);
  return {
    summary,
    description: describedBy(operation),
    parameters: parametersOf(operation, components),
    requestBody: body && {
      required: !isBodyOptional(operation),
      content: {
        ...jsonContent(bodySchema(zodJson(body, "input"), components), { example: bodyExample }),
        ...(isLink ? { [FORM_MEDIA_TYPE]: { schema: { type: "object" } } } : {}),
      },
    },
    answers: answersOf(operation, shared, components),
    codes: [],
  };
}

function parametersOf(
  { path, parameters, isPaged }: AuthOperation,
  components: Components,
): readonly JsonSchema[] {
  return [
    ...path.split("/").filter((segment) => segment.startsWith(":")).map((segment) => ({
      name: segment.slice(1),
      in: "path",
      required: true,
      ...parameterMembers(zodJson(MEMBER.token, "input")),
    })),
    ...Object.entries(parameters.shape).map(([name, schema]) => {
      const parameter = {
        name,
        in: "query",
        required: !schema.safeParse(undefined).success,
        ...parameterMembers(zodJson(schema, "input")),
      };
      const key = JSON.stringify(parameter);
      return components.referVariant("parameters", `Accounts.${name}`, key, () => parameter);
    }),
    ...(isPaged ? cursorParameters(components) : []),
  ];
}

function answersOf(
  operation: AuthOperation,
  shared: ReadonlySet<string>,
  components: Components,
): JsonSchema {
  const { method, success, accepted, redirects } = operation;
  const isLink = isLinkRoute(operation);
  const leading = (name: string, description: string) =>
    components.refer("responses", name, () => ({
      description,
      headers: {
        ...answerHeaders(components),
        Location: { description: "Where to.", required: true, schema: { type: "string" } },
      },
    }));
  const begun = "Begun; it goes on by itself.";
  return {
    ...(success === null ? {} : { "200": succeeded(operation, success, { components, shared }) }),
    ...(accepted === null
      ? {}
      : { "202": answered(begun, accepted, components, writeHeaders(method, false)) }),
    ...(redirects
      ? { "302": leading("Redirect", "Leads on to the address that the link named.") }
      : {}),
    ...(isLink && method === "POST"
      ? { "303": leading("FollowedLink", "Leads the browser on.") }
      : {}),
    // A route may answer with any status of either kind, from the library or from a layer of the service before it.
    "4XX": isLink
      ? components.refer(
        "responses",
        "LinkRefusal",
        () => withPage(accountRefusalContent(components), true),
      )
      : accountRefusal(components),
    "5XX": accountRefusal(components),
  };
}

function describedBy({ own }: AuthOperation): string {
  switch (own) {
    case null:
      return "By the library.";
    case "openLink":
      return "Changes nothing.";
    case "followLink":
      return "Works once.";
    default:
      return "By the service.";
  }
}

/** Returns the response of status 200; one that several routes share is defined once. */
function succeeded(
  operation: AuthOperation,
  success: JsonSchema,
  { components, shared }: {
    readonly components: Components;
    /** Texts of the responses that are defined under `components`. */
    readonly shared: ReadonlySet<string>;
  },
): JsonSchema {
  const { method } = operation;
  const isLink = isLinkRoute(operation);
  const headers: SentHeaders = {
    ...writeHeaders(method, false),
    ...(operation.isPaged ? { Link: "PageLinks" } : {}),
  };
  const make = () => withPage(answered("Success.", success, components, headers), isLink);
  const text = JSON.stringify(success);
  // This response is written in place, so that readers that follow no reference find its example.
  if (success === SUCCESS || success === STATUS) return make();
  const own = success["type"] === "object" ? nameOf(success) : undefined;
  const name = own ?? (shared.has(text) ? "AccountAnswer" : undefined);
  if (name === undefined) return make();
  return components.referVariant("responses", name, `${own ?? text} ${method} ${isLink}`, make);
}

/** Returns the response with an HTML page of the same content for a link's route. */
function withPage(answer: JsonSchema, isLink: boolean): JsonSchema {
  if (!isLink) return answer;
  const { content } = answer;
  const page = { "text/html": { schema: { type: "string" } } };
  return { ...answer, content: { ...(isSchema(content) ? content : {}), ...page } };
}

function answered(
  description: string,
  schema: JsonSchema,
  components: Components,
  more: SentHeaders,
): JsonSchema {
  const content = jsonContent(answerSchema(schema, components));
  const headers = answerHeaders(components, more);
  return { description, headers, content };
}

/**
 * Replaces an object that several responses share, or a list of such objects, by a reference. A response that combines several
 * contains them in full.
 */
function answerSchema(schema: JsonSchema, components: Components): JsonSchema {
  if (schema === envelopes.PAGINATION) {
    return components.refer("schemas", "Pagination", () => envelopes.PAGINATION);
  }
  const name = nameOf(schema);
  const known = NAMED_ANSWERS[name ?? ""];
  if (name !== undefined && known !== undefined) {
    const reference = components.refer("schemas", name, () => known);
    const { type, description = "Null: there is none." } = schema;
    return type === "object" ? reference : { oneOf: [reference, { type: "null" }], description };
  }
  const { items, properties } = schema;
  if (isSchema(items)) return { ...schema, items: answerSchema(items, components) };
  const members = Object.entries(isSchema(properties) ? properties : {});
  const isComposed = members.filter(([, member]) => isSchema(member) && isNamed(member)).length > 1;
  if (members.length === 0 || isComposed) return schema;
  const shared = members.map(([member, part]) =>
    [member, isSchema(part) ? answerSchema(part, components) : part] as const
  );
  return { ...schema, properties: Object.fromEntries(shared) };
}

function isNamed({ items, ...schema }: JsonSchema): boolean {
  return nameOf(isSchema(items) ? items : schema) !== undefined;
}

function nameOf({ properties }: JsonSchema): string | undefined {
  return ANSWER_NAMES.get(JSON.stringify(properties));
}

const ANSWER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMED_ANSWERS).map(([name, { properties }]) => [JSON.stringify(properties), name]),
);

/**
 * Least number of routes that share a response by reference. One of fewer routes is written in place, so that readers that
 * follow no reference find its examples.
 */
const SHARED_MIN = 4;

/** Returns the texts of the responses that several routes share. A reference is shorter than any of them. */
function sharedAnswers(operations: readonly AuthOperation[]): ReadonlySet<string> {
  const uses = new Map<string, number>();
  for (const { success } of operations) {
    if (success === null) continue;
    const text = JSON.stringify(success);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  return new Set([...uses].flatMap(([text, count]) => count < SHARED_MIN ? [] : [text]));
}

/**
 * Returns a body without its members' own examples, because it has an example of its whole. The permissions of a kind are
 * defined once.
 */
function bodySchema(
  { examples: _, properties, ...schema }: JsonSchema,
  components: Components,
): JsonSchema {
  if (!isSchema(properties)) {
    return schema["type"] === "array" && isSchema(schema["items"]) && schema["items"]["enum"]
      ? components.referVariant("schemas", "KeyVerbs", JSON.stringify(schema), () => schema)
      : schema;
  }
  const members = Object.entries(properties).map(([name, part]) =>
    [name, isSchema(part) ? bodySchema(part, components) : part] as const
  );
  return { ...schema, properties: Object.fromEntries(members) };
}

/** Returns a parameter with its description beside its schema. */
function parameterMembers({ description, ...schema }: JsonSchema): JsonSchema {
  return { ...(description === undefined ? {} : { description }), schema };
}
