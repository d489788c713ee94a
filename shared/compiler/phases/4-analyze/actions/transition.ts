/** Reads an action's own `transition` (contract 3.2, definitions 5). */
import { rulesOf, valuesOf } from "../../../../column_types/mod.ts";
import { TRANSITION } from "../../../../definition_language/action.ts";
import type { SchemaModel, TransitionModel } from "../../../../model/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { Value } from "../../values.ts";
import { requireColumn } from "../tables/analysis.ts";
import { type At, type Fields, read, readField, readFields, type Token } from "../read/mod.ts";
import { readConditions } from "../tables/conditions.ts";
import { checkState, statesOf } from "../resources/transitions.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import { type ActionScope, inputField, inputNames } from "./action_scope.ts";

interface Move {
  readonly key: Token;
  readonly value: readonly Token[];
}

type TransitionMembers = (typeof TRANSITION)["members"];

/** Context in which a transition is read: the action's table and input. */
interface TransitionScope extends ActionScope {
  readonly table: TableDraft;
  readonly input: SchemaModel;
  readonly transition: Fields<TransitionMembers>;
}

export function readTransition(scope: ActionScope, input: SchemaModel): TransitionModel | null {
  const { fields, found, table, analysis } = scope;
  const entry = fields.entries.get("transition");
  if (!entry) return null;
  if (scope.kind !== "record" || !table) {
    if (analysis.brokenFiles.size === 0) {
      analysis.report.add("TRANSITION_PLACE", entry.keyPlace, { action: found.name });
    }
    return null;
  }
  const transition = readField(
    fields,
    "transition",
    (value, at) => readFields(value, TRANSITION, at),
  );
  return transition ? readKeys({ ...scope, table, input, transition }) : null;
}

function readKeys(scope: TransitionScope): TransitionModel | null {
  const { transition, table } = scope;
  const field = read(transition, "field");
  const column = field && requireColumn(field, table, transition.at.report);
  const moves = read(transition, "fromTo") ?? [];
  if (field && column) checkMoves(moves, field, column, scope);
  const target = readTarget(scope, column, moves);
  const guard = (value: Value, at: At) => readConditions(value, table, at);
  const fields = read(transition, "onIllegal");
  const code = read(fields, "code");
  const message = read(fields, "message");
  const status = read(fields, "status");
  const words = read(transition, "clears") ?? [];
  const rest = {
    guard: readField(transition, "guard", guard) ?? [],
    onIllegal: code === undefined || message === undefined ? null : { code, status, message },
    idempotent: read(transition, "idempotent") === "noop",
    stamp: readStamp(scope),
    clears: words.flatMap((word) => {
      const column = requireColumn(word, table, transition.at.report);
      if (!column) return [];
      const isNullable = !column.required && !column.primaryKey && column.manager === "client";
      if (isNullable && word.text !== field?.text) return [word.text];
      const details = { column: word.text, key: "clears", expected: "a column that may be null" };
      transition.at.report.add("TRANSITION_COLUMN", word.place, details);
      return [];
    }),
  };
  if (!field || !target) return null;
  const fromTo = moves.map(({ key, value }) => [key.text, value.map(({ text }) => text)] as const);
  return { field: field.text, fromTo: Object.fromEntries(fromTo), target, ...rest };
}

/** Checks that every state exists. If the table declares its moves, each move must be one of them. */
function checkMoves(
  moves: readonly Move[],
  field: Token,
  column: ColumnDraft,
  scope: TransitionScope,
): void {
  const { resource, table, transition } = scope;
  const states = statesOf(column, field, transition.at);
  const declared = resource && Object.hasOwn(resource.transitions, field.text)
    ? resource.transitions[field.text]
    : undefined;
  const knowsMoves = declared &&
    Object.entries(declared).flat(2).every((text) => states === null || states.includes(text));
  for (const { key, value } of moves) {
    for (const state of [key, ...value]) checkState(state, states, transition.at);
    const allowed = declared && Object.hasOwn(declared, key.text) ? declared[key.text] ?? [] : [];
    for (const state of knowsMoves && isState(key, states) ? value : []) {
      if (allowed.includes(state.text) || !isState(state, states)) continue;
      const details = { from: key.text, to: state.text, table: table.name };
      transition.at.report.add("TRANSITION_OUTSIDE", state.place, details);
    }
  }
}

function isState({ text }: Token, states: readonly string[] | null): boolean {
  return states === null || states.includes(text);
}

function readTarget(
  scope: TransitionScope,
  column: ColumnDraft | undefined,
  moves: readonly Move[],
): TransitionModel["target"] | null {
  const { transition } = scope;
  const { report } = transition.at;
  const to = read(transition, "to");
  const via = read(transition, "via");
  const [hasTo, hasVia] = ["to", "via"].map((key) => transition.entries.has(key));
  if (hasTo === hasVia) {
    const problem = hasTo ? "has both to and via" : "has neither to nor via";
    report.add("TRANSITION_TARGET", transition.place, { problem });
    return null;
  }
  if (via) {
    // The input field that `via` names is a text.
    const schema = inputField(scope.input, via.text);
    if (schema === undefined) {
      const suggestion = nearest(via.text, inputNames(scope.input));
      report.add("INPUT_FIELD_UNKNOWN", via.place, { field: via.text, nearest: suggestion });
    } else if (schema && !["string", "enum", "literal", "any", "union"].includes(schema.kind)) {
      report.add("INPUT_FIELD_TYPE", via.place, { field: via.text, expected: "a text" });
    }
    return { kind: "via", input: via.text };
  }
  if (!to) return null;
  const targets = moves.flatMap(({ value }) => value);
  const states = column?.type ? valuesOf({ type: column.type }).enum : null;
  if (!isState(to, states)) checkState(to, states, transition.at);
  // A misspelt state in the moves may be the correct name of this one.
  else if (targets.every((move) => isState(move, states) && move.text !== to.text)) {
    report.add("TRANSITION_UNREACHED", to.place, { state: to.text });
  }
  return { kind: "to", state: to.text };
}

function readStamp({ transition, table }: TransitionScope): string | null {
  const word = read(transition, "stamp");
  const column = word && requireColumn(word, table, transition.at.report);
  if (!word || !column?.type) return null;
  if (rulesOf(column.type).isInstant && column.manager === "client") return word.text;
  const details = { column: word.text, key: "stamp", expected: "a timestamp of your own" };
  transition.at.report.add("TRANSITION_COLUMN", word.place, details);
  return null;
}
