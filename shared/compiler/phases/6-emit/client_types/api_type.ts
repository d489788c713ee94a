/** Builds the type `Api`: each resource's operations, views and actions by the names that the client uses. */
import { CONTRACT_VERSIONS } from "../../../../contract/mod.ts";
import { typescriptString } from "../../../../lib/typescript_text.ts";
import { isJsonObject } from "../../../../lib/json.ts";
import type { ProjectModel, ResourceModel, SchemaModel } from "../../../../model/mod.ts";
import { actionOperationsOf, authOperationsOf, broadcastNames } from "../../../../surface/mod.ts";
import { changesetBar, changesetOperations, embeddablesOf } from "../../../../surface/mod.ts";
import { fileOperationsOf, operationsOf, pathInputOf, pathNames } from "../../../../surface/mod.ts";
import { schemaJson, sentInput, systemRoutesOf, tableOf } from "../../../../surface/mod.ts";
import { zodJson } from "../../../../surface/mod.ts";
import type { ActionOperation, AuthOperation, FileOperation } from "../../../../surface/mod.ts";
import type { Operation, Route } from "../../../../surface/mod.ts";
import { holdsFiles } from "../../../../column_types/mod.ts";
import { broadcastMessages } from "../asyncapi.ts";
import * as components from "../openapi/component_names.ts";
import { successSchema } from "../openapi/action_parts.ts";
import { queryName } from "./query_types.ts";
import { schemaType } from "./schema_type.ts";
import { member, text, type TypeMember, type TypeNode, union } from "./type_node.ts";

/** Returns the type `Api`; `code` is the type of `Problem.code`. */
export function apiType(model: ProjectModel, code: TypeNode): TypeNode {
  const actions = actionOperationsOf(model);
  return object([
    member("contract", text(typescriptString(model.contract))),
    member("code", code),
    member("auth", authType(model)),
    member(
      "resources",
      object(
        model.resources.flatMap((resource) => [
          member(resource.name, resourceType(resource, model, actions)),
          ...otherName(resource.name, resource.segment, "resources"),
        ]),
      ),
    ),
    member(
      "actions",
      object([
        ...actions.filter(({ kind, action }) => kind === "standaloneAction" && action.verb === null)
          .map((one) => member(routeName(one, model), actionType(one, model))),
        ...systemMembers(model),
      ]),
    ),
    member("changeset", changesetType(model)),
    member("frames", framesType(model)),
  ]);
}

/** Returns the client's name for a route below the API's base. */
function routeName({ method, path }: Route, { contract }: ProjectModel): string {
  return `${method} ${path.slice(CONTRACT_VERSIONS[contract].apiBase.length)}`;
}

/**
 * Returns the service's routes below the API's base that programs call, in the form of actions. A route without a body has its
 * query as input.
 */
function systemMembers(model: ProjectModel): readonly TypeMember[] {
  const base = `${CONTRACT_VERSIONS[model.contract].apiBase}/`;
  return systemRoutesOf(model).flatMap((route) => {
    const success = route.answers[200]?.content[0];
    if (route.tool === null || !route.path.startsWith(base) || success === undefined) return [];
    const query = route.parameters.filter(({ in: place }) => place === "query").map((one) => ({
      ...member(String(one.name), schemaType(isJsonObject(one.schema) ? one.schema : {})),
      optional: one.required !== true,
    }));
    return [member(
      routeName(route, model),
      object([
        member("method", text(typescriptString(route.method))),
        member("body", route.body === null ? object(query) : schemaType(route.body.schema)),
        member("answer", schemaType(success.schema)),
      ]),
    )];
  });
}

/** Returns the same member of `Api` under a resource's name in URLs, if that differs. */
function otherName(
  name: string,
  segment: string,
  area: "resources" | "frames",
): readonly TypeMember[] {
  if (segment === name) return [];
  const type = text(`Api[${typescriptString(area)}][${typescriptString(name)}]`);
  return [member(segment, type, `@deprecated Say ${name}.`)];
}

/** Returns the type of a changeset's operation, as its body describes it. */
function changesetType(model: ProjectModel): TypeNode {
  if (!model.changeset) return text("never");
  const operations = changesetOperations(model);
  return operations.length === 0 ? text("never") : union(operations.map(schemaType));
}

/** Returns the types of frames by their resource or signal. They are the messages of `asyncapi.json`. */
function framesType(model: ProjectModel): TypeNode {
  const names = model.realtime.enabled ? broadcastNames(model) : [];
  const messages = broadcastMessages(model).map(({ payload }) => {
    // The client itself adds the position of a frame.
    const { eventId: _, ...properties } = isJsonObject(payload.properties)
      ? payload.properties
      : {};
    return { ...payload, properties };
  });
  const segments = new Map(model.resources.map(({ name, segment }) => [name, segment]));
  return object(names.flatMap((name) => {
    const own = messages.filter(({ properties }) =>
      isJsonObject(properties.resource) && properties.resource.const === name
    );
    return [
      member(name, union(own.map(schemaType))),
      ...otherName(name, segments.get(name) ?? name, "frames"),
    ];
  }));
}

/** Account routes that the client has methods for, by the methods' names. */
const AUTH_ROUTES = {
  signUp: "authSignUpEmail",
  signIn: "authSignInEmail",
  signOut: "authSignOut",
  session: "authGetSession",
  createOrganization: "authOrganizationCreate",
  organizations: "authOrganizationList",
  activate: "authOrganizationSetActive",
} as const;

/** Routes of the ways to sign in that a project switches on; absent if it does not. */
const OTHER_SIGN_INS = {
  mailLink: "authSignInMagicLink",
  followLink: "authFollowMagicLink",
  mailCode: "authSendEmailCode",
  signInWithCode: "authSignInEmailCode",
  signInWith: "authSignInProvider",
  verifyTotp: "authVerifyTotp",
  verifyBackupCode: "authVerifyBackupCode",
} as const;

function authType(model: ProjectModel): TypeNode {
  const operations = new Map(authOperationsOf(model).map((one) => [one.id, one]));
  const others = Object.entries(OTHER_SIGN_INS).filter(([, id]) => operations.has(id));
  return object(
    [...Object.entries(AUTH_ROUTES), ...others].map(([name, id]) => {
      const operation = operations.get(id);
      return member(name, operation ? authRouteType(operation) : text("never"));
    }),
  );
}

function authRouteType({ body, success }: AuthOperation): TypeNode {
  return object([
    ...(body === null ? [] : [member("body", schemaType(zodJson(body, "input")))]),
    member("answer", success === null ? text("null") : schemaType(success)),
  ]);
}

const KINDS = [
  "list",
  "get",
  "create",
  "update",
  "delete",
  "upsert",
  "batchCreate",
  "batchUpdate",
  "batchDelete",
  "batchUpsert",
] as const satisfies readonly Operation["kind"][];

function resourceType(
  resource: ResourceModel,
  model: ProjectModel,
  actions: readonly ActionOperation[],
): TypeNode {
  const operations = operationsOf({ ...model, resources: [resource] });
  const own = actions.filter((one) => one.resource?.name === resource.name);
  const { idStrategy } = tableOf(resource, model);
  return object([
    member("name", text(typescriptString(resource.name))),
    member("id", text(idStrategy === "serial" ? "number" : "string")),
    ...KINDS.map((kind) => {
      const mapped = own.find(({ action }) => action.verb === kind);
      if (mapped) return member(kind, actionType(mapped, model));
      const operation = operations.find((one) => one.kind === kind);
      return member(kind, operation ? operationType(operation, model) : text("never"));
    }),
    // The member is absent if no record can be restored, or no history is stored.
    ...operations.filter(({ kind }) => kind === "restore" || kind === "history")
      .map((one) => member(one.kind, operationType(one, model))),
    ...filesMember(resource, model),
    member(
      "views",
      object(
        operations.filter(({ kind }) => kind === "view").map((one) =>
          member(one.view?.segment ?? "", operationType(one, model))
        ),
      ),
    ),
    member("actions", actionsType(own, "recordAction", model)),
    member("bulkActions", actionsType(own, "bulkAction", model)),
  ]);
}

/**
 * Returns the types of file writes by column; empty if the resource has no files. Reads need no member, because every file
 * column has them.
 */
function filesMember(resource: ResourceModel, model: ProjectModel): readonly TypeMember[] {
  const operations = fileOperationsOf({ ...model, resources: [resource] });
  return [false, true].flatMap((isList) => {
    const columns = Map.groupBy(
      operations.filter(({ column }) => holdsFiles(column.type) === isList),
      ({ column }) => column.name,
    );
    if (columns.size === 0) return [];
    const files = [...columns].map(([column, own]) => member(column, object(fileWrites(own))));
    return [member(isList ? "fileLists" : "files", object(files))];
  });
}

function fileWrites(operations: readonly FileOperation[]): readonly TypeMember[] {
  return operations.filter(({ act }) => act !== "readFile" && act !== "presignFile")
    .map((operation) => {
      const answer = operation.act === "removeFile" ? "Deleted" : components.recordName(operation);
      return member(operation.act, object([member("answer", text(answer))]));
    });
}

function operationType(operation: Operation, model: ProjectModel): TypeNode {
  const { kind } = operation;
  const query = queryName(operation);
  return object([
    member("query", text(query ?? "Record<string, never>")),
    ...(components.isBodyKind(kind)
      ? [member("body", text(components.bodyName(kind, operation)))]
      : []),
    member("answer", text(answerName(operation, model))),
  ]);
}

function answerName(operation: Operation, model: ProjectModel): string {
  switch (operation.kind) {
    case "list":
    case "view":
      return components.pageName(operation);
    case "history":
      return components.historyName(operation);
    case "get":
      return embeddablesOf(operation, model).length > 0
        ? components.readName(operation)
        : components.recordName(operation);
    case "create":
    case "update":
    case "upsert":
    case "restore":
      return components.recordName(operation);
    case "delete":
      return "Deleted";
    case "batchDelete":
      return components.batchName("id", operation);
    case "batchCreate":
    case "batchUpdate":
    case "batchUpsert":
      return components.batchName("record", operation);
  }
}

function actionsType(
  own: readonly ActionOperation[],
  kind: ActionOperation["kind"],
  model: ProjectModel,
): TypeNode {
  return object(
    own.filter((one) => one.kind === kind && one.action.verb === null)
      .map((one) => member(one.action.segment, actionType(one, model), one.action.description)),
  );
}

function actionType(operation: ActionOperation, model: ProjectModel): TypeNode {
  const { method, action } = operation;
  const isJson = action.responseType === "json";
  return object([
    ...(model.changeset ? changesetNames(operation) : []),
    member("method", text(typescriptString(method))),
    ...parametersOf(operation),
    member("body", schemaType(schemaJson(sentInput(operation), "input"))),
    member("answer", isJson ? schemaType(successSchema(action)) : text("Response")),
  ]);
}

/** Returns the path parameters of an action that no resource offers under its own name. */
function parametersOf(operation: ActionOperation): readonly TypeMember[] {
  const names = pathNames(operation.path);
  if (operation.kind !== "standaloneAction" || names.length === 0) return [];
  const known = new Map(pathInputOf(operation).map(({ name, schema }) => [name, schema]));
  const typeOf = (schema?: SchemaModel) =>
    schema ? schemaType(schemaJson(schema, "input")) : text("string");
  return [member("parameters", object(names.map((name) => member(name, typeOf(known.get(name))))))];
}

/** Returns the names under which a changeset calls the action, if they differ from its place in this type. */
function changesetNames(operation: ActionOperation): readonly TypeMember[] {
  const { kind, action, resource } = operation;
  const isFound = kind === "recordAction" && action.name === action.segment;
  if (isFound || resource === null || action.verb !== null) return [];
  if (changesetBar(operation) !== null) return [];
  const namesOf = ({ name, segment }: { readonly name: string; readonly segment: string }) =>
    union([name, segment].map((one) => text(typescriptString(one))));
  return [member(
    "changeset",
    object([member("resource", namesOf(resource)), member("action", namesOf(action))]),
  )];
}

function object(members: readonly TypeMember[]): TypeNode {
  return { kind: "object", members };
}
