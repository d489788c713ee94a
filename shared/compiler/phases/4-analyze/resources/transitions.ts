/** Reads table-level `transitions: { field: { from: [to, …] } }` (definitions 4). */
import { rulesOf, valuesOf } from "../../../../column_types/mod.ts";
import type { ResourceModel } from "../../../../model/mod.ts";
import type { ObjectEntry } from "../../values.ts";
import { requireColumn } from "../tables/analysis.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { type At, below, mapOf, readTokens, type Token, wrongType } from "../read/mod.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import type { ResourceScope } from "./resource_scope.ts";

export function readTransitions(scope: ResourceScope): ResourceModel["transitions"] {
  const entry = scope.options.entries.get("transitions");
  const at = below(scope.options.at, "transitions");
  if (!entry) return {};
  if (entry.value.kind !== "object") return wrongType(entry.value, "an object", at) ?? {};
  return Object.fromEntries(entry.value.entries.flatMap((member) => {
    const moves = readMoves(member, scope, below(at, member.key));
    return moves ? [[member.key, moves]] : [];
  }));
}

function readMoves(
  entry: ObjectEntry,
  scope: ResourceScope,
  at: At,
): Record<string, readonly string[]> | undefined {
  const word = { text: entry.key, place: entry.keyPlace };
  const column = requireColumn(word, scope.table, at.report);
  const members = mapOf(readTokens)(entry.value, at);
  if (!column || !members) return undefined;
  const states = statesOf(column, word, at);
  for (const { key, value } of members) {
    for (const state of [key, ...value]) checkState(state, states, at);
  }
  return Object.fromEntries(
    members.map(({ key, value }) => [key.text, value.map((token) => token.text)]),
  );
}

/** Returns the closed set of states; null if the column accepts any text, or is wrong. */
export function statesOf(column: ColumnDraft, word: Token, at: At): readonly string[] | null {
  const { type } = column;
  if (type === null) return null;
  const states = valuesOf({ type }).enum;
  if (states !== null || rulesOf(type).key === "text") return states;
  at.report.add("TRANSITION_TYPE", word.place, { column: column.name, type: type.kind });
  return null;
}

export function checkState({ text, place }: Token, states: readonly string[] | null, at: At): void {
  if (states === null || states.includes(text)) return;
  at.report.add("TRANSITION_STATE", place, { state: text, nearest: nearest(text, states) });
}
