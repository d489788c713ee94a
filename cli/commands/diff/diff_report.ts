/** The differences between two versions as a person reads them. */
import { DESTRUCTIVE_MARK } from "../../../shared/compiler/mod.ts";
import type { Change, ChangeKind } from "../../../proof/diff/change.ts";
import type { Terminal } from "../../terminal.ts";

export function reportChanges(
  { changes, migration }: {
    readonly changes: readonly Change[];
    readonly migration: string | null;
  },
  { out, outColors }: Terminal,
): void {
  for (const [kind, title] of TITLES) {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) continue;
    out(outColors.bold(title));
    for (const line of own.map(changeLine)) out(line);
    out("");
  }
  out(outColors.bold("Migration"));
  out(migration === null ? "  none" : indented(migration));
}

const TITLES: readonly (readonly [ChangeKind, string])[] = [
  ["gain", "Who may see or do more"],
  ["loss", "Who may see or do less"],
  ["breaking", "What clients can trip over"],
  ["addition", "What is new for clients"],
];

function changeLine({ subject, principals, text }: Change): string {
  const whom = principals.length === 0 ? "" : `${principals.join(", ")}: `;
  return `  ${subject}  ${whom}${text}`;
}

function indented(sql: string): string {
  return sql.trimEnd().split("\n").map((line) => `  ${line}`).join("\n");
}

/** True when rows or values are lost: the compiler marks that in the SQL that it writes. */
export function isDestructive(migration: string | null): boolean {
  return migration !== null &&
    migration.split("\n").some((line) => line.startsWith(DESTRUCTIVE_MARK));
}
