/** Edits of several files as one act: undone together, and apart where one of them was edited since. */
import { history, undo } from "@codemirror/commands";
import { EditorState, type Transaction } from "@codemirror/state";
import { assert, assertEquals } from "@std/assert";
import { actAs, followed, sharedHistory } from "../../../playground/browser/editor_history.ts";

function state(doc: string): EditorState {
  return EditorState.create({ doc, extensions: [history(), sharedHistory()] });
}

function undone(from: EditorState): Transaction {
  let made: Transaction | null = null;
  undo({ state: from, dispatch: (transaction) => made = transaction });
  assert(made !== null);
  return made;
}

const written = (from: EditorState, insert: string) =>
  from.update({ changes: { from: 0, insert }, userEvent: "input.type" }).state;

Deno.test("an act is undone in each of its files, from any of them", () => {
  const files = ["a", "b"].map((doc) =>
    written(state(doc), "typed ").update(actAs([{ from: 0, to: 5, insert: "ACT" }], 1)).state
  );
  const [first, second] = files;
  assert(first && second);
  const transaction = undone(first);
  assertEquals(transaction.state.doc.toString(), "typed a");
  const others = followed(transaction, new Map([["b", second], ["c", state("c")]]));
  assertEquals([...others].map(([path, { doc }]) => [path, doc.toString()]), [["b", "typed b"]]);
});

Deno.test("a file that was edited since keeps what was done to it", () => {
  const [first, second] = ["a", "b"].map((doc) =>
    state(doc).update(actAs([{ from: 0, to: 1, insert: "ACT" }], 1)).state
  );
  assert(first && second);
  const edited = new Map([["b", written(second, "later ")]]);
  assertEquals(followed(undone(first), edited).size, 0);
});
