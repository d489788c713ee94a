/**
 * Inputs for actions: a valid one, as far as the schema can be read, an invalid one, and one with each choice that a member
 * offers (contract 4.4 rules 5 and 7).
 */
import { isJsonObject } from "../../shared/lib/json.ts";
import type { ActionModel, JsonValue, ObjectSchema, SchemaModel } from "../../shared/model/mod.ts";
import { schemaExample } from "../../shared/lib/schema_example.ts";
import { schemaJson, tableNamed } from "../../shared/surface/mod.ts";
import { HOME, type SeedValues } from "../rows/mod.ts";
import { castOf, hiddenIn, type Planning, queryText, secretsOf } from "./planning.ts";

export type Input = Readonly<Record<string, JsonValue>>;

/** Returns a valid input whose records and organizations are all at home. */
export function goodInput(
  { input, refs, tenantOf }: ActionModel,
  { rows, world: { home, caller } }: Pick<Planning, "rows" | "world">,
): Input {
  const example = schemaExample(schemaJson(input, "input"));
  const organizationId = caller.organizationId ?? home.organizationId;
  const own = Object.entries<JsonValue>({ ...home, organizationId }).filter(([name]) =>
    input.kind === "object" && input.members.some((member) => member.name === name)
  );
  const named = Object.entries(refs).flatMap(([field, table]): [string, JsonValue][] => {
    const row = rows.find((one) => one.table.name === table && one.variant === HOME);
    return row ? [[field, row.id]] : [];
  });
  const key = tenantOf &&
    rows.find((one) => one.table.name === tenantOf.table && one.variant === HOME);
  const tenant = key ? [[tenantOf.input, key.values[tenantOf.column] ?? null] as const] : [];
  return {
    ...(isJsonObject(example) ? example : {}),
    ...Object.fromEntries([...own, ...named, ...tenant]),
  };
}

const INPUTS_MAX = 40;

/**
 * Returns inputs: a valid one that names a colleague's records, a minimal one, and the first one with other choices of its
 * members.
 */
export function inputsOf(action: ActionModel, planning: Planning): readonly Input[] {
  const { input, refs } = action;
  const named = Object.entries(refs).map(([field, table]) =>
    [field, castOf(tableNamed(table, planning.model), planning).others[0]] as const
  );
  const base = { ...goodInput(action, planning), ...Object.fromEntries(named) };
  const { properties } = schemaJson(input, "input");
  const variants = Object.entries(isJsonObject(properties) ? properties : {}).flatMap((
    [name, property],
  ) =>
    [...choicesOf(property), ...guessesAt(property, action.table, planning)]
      .filter((choice) => choice !== base[name])
      .map((choice) => ({ ...base, [name]: choice }))
  );
  const required = input.kind === "object" ? requiredMembers(input).map(({ name }) => name) : [];
  const least = Object.entries(base).filter(([name]) => required.includes(name));
  return [base, Object.fromEntries(least), ...variants].slice(0, INPUTS_MAX);
}

function choicesOf(property: unknown): readonly JsonValue[] {
  if (!isJsonObject(property)) return [];
  const { enum: values, type } = property;
  if (Array.isArray(values)) {
    return values.filter((value: unknown): value is JsonValue =>
      value === null || ["string", "number", "boolean", "object"].includes(typeof value)
    );
  }
  return type === "boolean" ? [true, false] : [];
}

/** Returns the hidden values of the record in both databases: an answer must not reveal which of them is right. */
function guessesAt(
  property: unknown,
  table: string | null,
  planning: Planning,
): readonly JsonValue[] {
  if (!isJsonObject(property) || property["type"] !== "string" || table === null) return [];
  if (property["enum"] !== undefined || property["format"] !== undefined) return [];
  const { others: [one] } = castOf(tableNamed(table, planning.model), planning);
  return hiddenIn(table, planning).flatMap((hidden) => secretsOf(hidden, one, planning))
    .map(queryText);
}

/** Returns an invalid input; null: any input may be valid. */
export function badInput(input: SchemaModel, good: Input): Input | null {
  if (input.kind !== "object") return null;
  if (input.unknown === "strict") return { ...good, "no such field": 1 };
  const member = input.members.find(({ schema }) => wrongValue(schema) !== null);
  return member ? { ...good, [member.name]: wrongValue(member.schema) ?? null } : null;
}

/** Returns an invalid query, in which every value is a text. */
export function badQuery(input: SchemaModel): Readonly<Record<string, string>> | null {
  if (input.kind !== "object") return null;
  const member = input.members.find(({ schema }) => TYPED.includes(unwrapped(schema).kind));
  return member ? { [member.name]: "conformance!" } : null;
}

export function queryOf(input: SchemaModel, good: Input): Readonly<Record<string, string>> {
  const members = input.kind === "object" ? requiredMembers(input) : [];
  return Object.fromEntries(
    members.map(({ name }) => {
      const value = good[name] ?? "";
      return [name, Array.isArray(value) ? value.join(",") : String(value)];
    }),
  );
}

function requiredMembers({ members }: ObjectSchema): ObjectSchema["members"] {
  return members.filter(({ schema }) => schema.kind !== "optional" && schema.kind !== "default");
}

const TYPED: readonly SchemaModel["kind"][] = ["number", "enum", "literal"];

function unwrapped(schema: SchemaModel): SchemaModel {
  switch (schema.kind) {
    case "optional":
    case "nullable":
    case "default":
      return unwrapped(schema.of);
    default:
      return schema;
  }
}

/** Returns a value that the schema refuses; null if the schema may accept anything. */
function wrongValue(wrapped: SchemaModel): JsonValue {
  const schema = unwrapped(wrapped);
  switch (schema.kind) {
    case "string":
    case "number":
    case "boolean":
      return schema.coerce ? null : [];
    case "enum":
    case "literal":
      return [];
    case "array":
    case "object":
    case "record":
      return "conformance";
    default:
      return null;
  }
}

/** Returns the state to which the action moves the row, and the input that selects it; null: the action moves nothing. */
export function moveOf(
  { transition }: ActionModel,
  row: SeedValues,
): { readonly to: string; readonly input: Input } | null {
  if (transition === null) return null;
  const { target, fromTo, field } = transition;
  if (target.kind === "to") return { to: target.state, input: {} };
  const from = String(row[field]);
  const reachable = Object.hasOwn(fromTo, from) ? fromTo[from] ?? [] : [];
  const to = reachable[0] ?? Object.values(fromTo).flat()[0] ?? "";
  return { to, input: { [target.input]: to } };
}
