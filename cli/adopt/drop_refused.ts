/**
 * Removes the parts of a draft that only the compiler can judge, if it refuses them: expressions of computed columns, patterns,
 * and conditions of operations.
 */
import type { Draft, DraftColumn, DraftTable } from "./draft.ts";
import type { Ledger } from "./ledger.ts";
import { pathOf } from "./print_draft.ts";

/** Error of the compiler in a printed draft. */
export interface Refusal {
  readonly file: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Returns the draft without the parts that the compiler refuses, each reported; null: none of them can be left out. */
export function withoutRefused(
  draft: Draft,
  files: Readonly<Record<string, string>>,
  refusals: readonly Refusal[],
): Draft | null {
  let isChanged = false;
  const tables = draft.tables.map((table) => {
    const path = pathOf(table);
    const lines = (files[path] ?? "").split("\n");
    const refused = new Map(
      refusals.filter(({ file }) => file === path).map(({ line, message }) =>
        [/^\s*(\w+):/.exec(lines[line - 1] ?? "")?.[1] ?? "", message] as const
      ),
    );
    const without = withoutMembers(table, refused, draft.ledger);
    isChanged ||= without !== table;
    return without;
  });
  return isChanged ? { ...draft, tables } : null;
}

function withoutMembers(
  table: DraftTable,
  refused: ReadonlyMap<string, string>,
  ledger: Ledger,
): DraftTable {
  const rules = table.rules.filter(({ operation, clauses }) => {
    const message = refused.get(operation);
    for (const clause of message === undefined ? [] : clauses) {
      ledger.leaveOut(clause, `the compiler refuses it: ${message}`);
    }
    return message === undefined;
  });
  const columns = table.columns.map((column) => {
    const message = refused.get(column.name);
    return message === undefined ? column : plainColumn(column, message, ledger);
  });
  const isSame = rules.length === table.rules.length &&
    columns.every((column, at) => column === table.columns[at]);
  return isSame ? table : { ...table, rules, columns };
}

/** Returns the column as one that callers write, without a pattern. */
function plainColumn(column: DraftColumn, message: string, ledger: Ledger): DraftColumn {
  const { type, clause } = column;
  if (clause === null || (type.kind !== "computed" && type.kind !== "plain")) return column;
  ledger.leaveOut(clause, `the compiler refuses it: ${message}`);
  if (type.of.kind !== "text") {
    return { ...column, type: { kind: "plain", of: type.of }, clause: null };
  }
  const { pattern: _pattern, examples: _examples, ...of } = type.of;
  return { ...column, type: { kind: "plain", of }, clause: null };
}
