/** Context in which the parts of one action are read. */
import type { ACTION } from "../../../../definition_language/action.ts";
import type { ActionMethod, MappedVerb, ResourceModel } from "../../../../model/mod.ts";
import type { SchemaModel, SignalModel } from "../../../../model/mod.ts";
import type { Definitions } from "../../values.ts";
import type { Analysis } from "../tables/analysis.ts";
import type { Fields } from "../read/fields.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { RelationGraph } from "../tables/relation_graph.ts";
import type { FoundAction } from "./find_actions.ts";
import type { PatternProofs } from "./schema/pattern_proofs.ts";

/** Input that all actions of a project share. */
export interface ActionsInput {
  readonly analysis: Analysis;
  readonly graph: RelationGraph;
  readonly definitions: Definitions;
  readonly resources: readonly ResourceModel[];
  /** The signals of the realtime registry; null if part of the registry could not be read. */
  readonly signals: readonly SignalModel[] | null;
  /** JSON Schemas that came with the request, by action key; null if the request cannot bring any. */
  readonly inputSchemas: Readonly<Record<string, unknown>> | null;
  /** True if a schema that the compiler can read needs no JSON Schema from the request. */
  readonly readsSchemas: boolean;
}

export interface ActionScope extends ActionsInput {
  readonly proofs: PatternProofs;
  readonly found: FoundAction;
  /** The action's key, `<feature>.<name>`, as in `actionInputSchemas`. */
  readonly key: string;
  readonly fields: Fields<(typeof ACTION)["members"]>;
  readonly table: TableDraft | null;
  readonly resource: ResourceModel | null;
  /** The standard operation that runs the action (`create` and its like); null if none does. */
  readonly verb: MappedVerb | null;
  readonly kind: "record" | "standalone";
}

/** Method and path of an action. */
export interface Route {
  readonly method: ActionMethod;
  readonly path: string;
}

/**
 * Returns the schema of an input's member without its wrappers; undefined if there is no such member, null if the input's
 * members are not known.
 */
export function inputField(input: SchemaModel, name: string): SchemaModel | undefined | null {
  const schema = unwrapped(input);
  switch (schema.kind) {
    case "object": {
      const member = schema.members.find((candidate) => candidate.name === name);
      return member ? unwrapped(member.schema) : undefined;
    }
    case "open":
    case "jsonSchema":
    case "any":
    case "union":
    case "discriminatedUnion":
      return null;
    default:
      return undefined;
  }
}

/** Returns the schema inside `optional`, `nullable` and `default`. */
export function unwrapped(schema: SchemaModel): SchemaModel {
  return schema.kind === "optional" || schema.kind === "nullable" || schema.kind === "default"
    ? unwrapped(schema.of)
    : schema;
}

/** Returns the names of an input's members, for suggestions. */
export function inputNames(input: SchemaModel): readonly string[] {
  const schema = unwrapped(input);
  return schema.kind === "object" ? schema.members.map(({ name }) => name) : [];
}
