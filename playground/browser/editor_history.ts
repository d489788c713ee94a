/** Combines edits of several files into one step, which is undone and redone as one, whichever of the files is open. */
import { invertedEffects, isolateHistory, redo, undo } from "@codemirror/commands";
import type { EditorState, Extension, Transaction, TransactionSpec } from "@codemirror/state";
import { StateEffect } from "@codemirror/state";
import type { TextEdit } from "./language/language.ts";

/** Number of the step that an edit is part of. */
const partOf = StateEffect.define<number>();

/** Records the step in the history of each file. */
export function sharedHistory(): Extension {
  return invertedEffects.of(({ effects }) => effects.filter((effect) => effect.is(partOf)));
}

/** Creates one file's part of a step, separate from what was typed before and after it. */
export function actAs(changes: readonly TextEdit[], act: number): TransactionSpec {
  return {
    changes: [...changes],
    effects: partOf.of(act),
    annotations: isolateHistory.of("full"),
    userEvent: "input.act",
  };
}

/** Undoes or redoes in the other files the steps that the transaction has undone or redone in its own file. */
export function followed(
  transaction: Transaction,
  others: ReadonlyMap<string, EditorState>,
): ReadonlyMap<string, EditorState> {
  const act = actOf(transaction);
  const command = transaction.isUserEvent("undo")
    ? undo
    : transaction.isUserEvent("redo")
    ? redo
    : null;
  if (act === null || command === null) return new Map();
  const changed = new Map<string, EditorState>();
  for (const [path, state] of others) {
    // The next entry in a file's history may be another step, which stays.
    command({
      state,
      dispatch: (own) => {
        if (actOf(own) === act) changed.set(path, own.state);
      },
    });
  }
  return changed;
}

function actOf({ effects }: Transaction): number | null {
  return effects.find((effect) => effect.is(partOf))?.value ?? null;
}
