/** Reads every action of the project into its model (contract 2.11, 4.4, definitions 5). */
import { ACTION } from "../../../../definition_language/action.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { PAUSE, type Steps } from "../../../../lib/steps.ts";
import { compareText } from "../../../../lib/texts.ts";
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { ActionModel, MappedVerb, ResourceModel, SchemaModel } from "../../../../model/mod.ts";
import { MAPPED_VERBS } from "../../../../model/mod.ts";
import { kebabCase } from "../../../../surface/mod.ts";
import { type Fields, readField, readFields, requireKey } from "../read/fields.ts";
import { ACTION_FORMS } from "../read/other_words.ts";
import { read } from "../read/read_member.ts";
import { listOf, mapOf, matching, readToken, readTokens } from "../read/scalars.ts";
import { requireTable } from "../tables/analysis.ts";
import { actionRateLimit, readActionAccess, readUnsafe } from "./access.ts";
import type { ActionScope, ActionsInput, Route } from "./action_scope.ts";
import { inputField, inputNames, unwrapped } from "./action_scope.ts";
import type { FoundAction } from "./find_actions.ts";
import { checkRawSql, codeRoots, readHandler } from "./handler.ts";
import { writesRecords } from "./reachable.ts";
import { checkCollisions, type PlacedAction, readRoute } from "./route.ts";
import { PatternProofs } from "./schema/pattern_proofs.ts";
import { patternsOf, readInput, readOutput } from "./schemas.ts";
import { readTenantOf } from "./tenant_of.ts";
import { readTransition } from "./transition.ts";

/** Returns the actions sorted by key. Actions with mistakes are left out. */
export function* readActions(
  found: readonly FoundAction[],
  input: ActionsInput,
): Steps<readonly ActionModel[]> {
  // The id is `<feature>.<name>`. If two tables have an action of one name, the primary table's keeps that id, and the other id
  // contains its table's name.
  const taken = new Set<string>();
  const isPrimary = ({ feature, table }: FoundAction) => {
    const file = input.analysis.tables.find(({ name }) => name === table)?.file;
    return file === undefined || file.endsWith(`/${feature}.ts`);
  };
  const primaryFirst = [...found].sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
  const keys = new Map(primaryFirst.map((action) => {
    const short = `${action.feature}.${action.name}`;
    const spelling = `${action.feature}.${kebabCase(action.name)}`;
    const isTaken = taken.has(spelling);
    taken.add(spelling);
    return [action, isTaken ? `${action.feature}.${action.table ?? ""}.${action.name}` : short];
  }));
  checkGivenKeys([...keys.values()], input);
  const proofs = new PatternProofs();
  const placed: PlacedAction[] = [];
  for (const action of found) {
    const key = keys.get(action) ?? action.name;
    const { inputSchemas } = input;
    yield* proofs.prepare(
      patternsOf(
        action.definition,
        inputSchemas !== null && Object.hasOwn(inputSchemas, key) ? inputSchemas[key] : null,
      ),
    );
    const model = readAction(action, key, { ...input, proofs });
    const place = (action.definition.kind === "object"
      ? action.definition.entries.find(({ key }) =>
        key === "path"
      )?.value.place
      : undefined) ?? action.place;
    if (model) placed.push({ model, place });
    yield PAUSE;
  }
  checkCollisions(placed, input);
  const models = placed.map(({ model }) => model);
  return models.sort((a, b) => compareText(a.key, b.key));
}

function checkGivenKeys(
  keys: readonly string[],
  { analysis, inputSchemas, definitions }: ActionsInput,
): void {
  const file = definitions.config?.file;
  if (!file || !analysis.knowsActions) return;
  for (const key of Object.keys(inputSchemas ?? {}).filter((given) => !keys.includes(given))) {
    const place = { file, line: 1, column: 1, length: 1 };
    analysis.report.add("INPUT_SCHEMA_UNKNOWN", place, { key, nearest: nearest(key, keys) });
  }
}

function readAction(
  found: FoundAction,
  key: string,
  input: ActionsInput & Pick<ActionScope, "proofs">,
): ActionModel | null {
  const { name, definition } = found;
  const { report } = input.analysis;
  const standalone = definition.kind === "object"
    ? definition.entries.find((entry) => entry.key === "standalone")
    : undefined;
  if (standalone) report.add("ACTION_STANDALONE_KEY", standalone.keyPlace, { action: name });
  const rest = standalone && definition.kind === "object"
    ? { ...definition, entries: definition.entries.filter((entry) => entry !== standalone) }
    : definition;
  const fields = readFields(rest, ACTION, { path: name, report }, ACTION_FORMS);
  if (!fields) return null;
  const { analysis, resources } = input;
  const resource = resources.find(({ table }) => table === found.table) ?? null;
  const verb = mappedVerb(found, resource, input, fields);
  const scope: ActionScope = {
    ...input,
    found,
    key,
    fields,
    table: analysis.tables.find(({ name }) => name === found.table) ?? null,
    resource,
    verb,
    kind: found.standalone || verb === "create" ? "standalone" : "record",
  };
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(found.name) || isObjectMember(found.name)) {
    analysis.report.add("ACTION_NAME", found.place, { name: found.name });
  }
  return actionModel(scope);
}

/** Returns the operation that the action's resource maps to the action, such as `create: { action: "<name>" }`. */
function mappedVerb(
  found: FoundAction,
  resource: ResourceModel | null,
  input: ActionsInput,
  fields: Fields,
): MappedVerb | null {
  const [verb, second] = MAPPED_VERBS.filter((one) => resource?.[one]?.action === found.name);
  const { report } = input.analysis;
  if (second) {
    report.add("ACTION_MAPPED_TWICE", found.place, { action: found.name, verb: second });
  }
  const transition = fields.entries.get("transition");
  if (verb === "create" && transition) {
    const details = { action: found.name, key: "transition" };
    report.add("ACTION_MAPPED_RECORD", transition.keyPlace, details);
  }
  return verb ?? null;
}

/** Reads every key, so that all mistakes are found; null if the action has no route. */
function actionModel(scope: ActionScope): ActionModel | null {
  const { found, fields, kind, verb } = scope;
  const route = readRoute(scope);
  const input = readInput(scope);
  const handler = readHandler(scope);
  const allowRawSql = read(fields, "allowRawSql");
  checkRawSql(scope, { handler, allowRawSql });
  if (route) checkQuery(scope, route, input);
  const { line, column, file } = found.place;
  const responseType = read(fields, "responseType");
  const entry = fields.entries.get("responseType");
  if (entry && responseType !== "json" && kind === "record") {
    const details = { action: found.name, responseType };
    scope.analysis.report.add("ACTION_RESPONSE_TYPE", entry.value.place, details);
  }
  const access = readActionAccess(scope);
  const tenantOf = readTenantOf(scope, { access, input });
  const rest = {
    access,
    description: readDescription(scope),
    input,
    output: readOutput(scope),
    responseType,
    unsafe: readField(fields, "unsafe", readUnsafe) ?? null,
    ...(tenantOf === null ? {} : { tenantOf }),
    rateLimit: actionRateLimit(scope),
    transition: verb === "create" ? null : readTransition(scope, input),
    refs: readRefs(scope, input),
    invalidates: readInvalidates(scope),
    allowRawSql,
    source: found.source,
    handler,
    ...(handler && writesRecords(codeRoots(scope, handler), scope.definitions)
      ? { writesRecords: true as const }
      : {}),
    origin: { file, line, column },
  };
  return route && {
    key: scope.key,
    name: found.name,
    segment: kebabCase(found.name),
    feature: found.feature,
    table: found.table,
    resource: scope.resource?.name ?? null,
    kind,
    ...route,
    verb,
    bulk: kind === "record" && verb === null && route.method !== "GET",
    ...rest,
  };
}

/** Returns the author's `description`, else the text of the doc comment. Reports an action that has neither. */
function readDescription({ fields, found }: ActionScope): string {
  if (!fields.entries.has("description") && found.doc === null) requireKey(fields, "description");
  return read(fields, "description") ?? found.doc ?? "";
}

/** Reports input that a query string cannot carry: a query string takes named single values (contract 4.4 rule 5). */
function checkQuery(
  { fields, found, analysis }: ActionScope,
  route: Route,
  input: SchemaModel,
): void {
  const entry = fields.entries.get("input");
  if (route.method !== "GET" || !entry) return;
  const problem = queryProblem(unwrapped(input));
  if (problem === null) return;
  analysis.report.add("ACTION_GET_INPUT", entry.keyPlace, { action: found.name, problem });
}

function queryProblem(input: SchemaModel): string | null {
  if (["open", "any", "jsonSchema"].includes(input.kind)) return null;
  if (input.kind !== "object") return "is no object";
  const nested = input.members.find(({ schema }) =>
    ["object", "record", "discriminatedUnion"].includes(unwrapped(schema).kind)
  );
  return nested ? `has the nested member ${JSON.stringify(nested.name)}` : null;
}

/** Reads `refs`: input fields that contain the ids of tables' records (definitions 5). */
function readRefs(
  { fields, analysis }: ActionScope,
  input: SchemaModel,
): Readonly<Record<string, string>> {
  const members = readField(fields, "refs", mapOf(readToken)) ?? [];
  const refs = members.flatMap(({ key, value }) => {
    const schema = inputField(input, key.text);
    if (schema === undefined) {
      const suggestion = nearest(key.text, inputNames(input));
      analysis.report.add("INPUT_FIELD_UNKNOWN", key.place, {
        field: key.text,
        nearest: suggestion,
      });
    } else if (schema && !["string", "number", "any", "union"].includes(schema.kind)) {
      const details = { field: key.text, expected: "an id" };
      analysis.report.add("INPUT_FIELD_TYPE", key.place, details);
    }
    const table = requireTable(value, analysis);
    return table ? [[key.text, table.name] as const] : [];
  });
  return Object.fromEntries(refs);
}

const SIGNAL = matching(
  /^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*$/,
  '"<binding>.<variant>" of the realtime registry',
);

/** Reads `invalidates`: signals that a handler may send (definitions 7). */
function readInvalidates({ fields, signals }: ActionScope): readonly string[] {
  const known = signals?.map(({ name }) => name) ?? null;
  return readField(fields, "invalidates", (value, at) => {
    const named = listOf(SIGNAL)(value, at);
    for (const { text, place } of named && known ? readTokens(value, at) ?? [] : []) {
      if (known === null || known.includes(text) || !named?.includes(text)) continue;
      at.report.add("SIGNAL_UNKNOWN", place, { signal: text, nearest: nearest(text, known) });
    }
    return named;
  }) ?? [];
}
