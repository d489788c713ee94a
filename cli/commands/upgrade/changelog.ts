/** Reads CHANGELOG.md: releases, and their changes by their effect on a project. */

export interface Release {
  readonly version: string;
  readonly changes: readonly Change[];
}

interface Change {
  /** `breaking`: a project must change; `changed`: it behaves differently; `added`, `fixed`. */
  readonly kind: string;
  readonly text: string;
}

/** Reads `## 1.2.0`, and below it entries `- **breaking** …` with indented continuation lines. */
export function releasesIn(changelog: string): readonly Release[] {
  return changelog.split(/^## /m).slice(1).map((section) => {
    const [version = "", ...lines] = section.split("\n");
    const entries = lines.join("\n").split(/^- /m).slice(1);
    return {
      version: version.trim().split(" ")[0] ?? "",
      changes: entries.map((entry) => {
        const text = entry.replace(/\s+/g, " ").trim();
        const [, kind, rest] = /^\*\*(\w+)\*\* (.*)$/.exec(text) ?? [];
        return kind === undefined ? { kind: "changed", text } : { kind, text: rest ?? "" };
      }),
    };
  });
}

/** Returns a negative number if the first version is older. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [numbersIn(a), numbersIn(b)];
  const at = first.findIndex((number, index) => number !== second[index]);
  return at === -1 ? 0 : (first[at] ?? 0) - (second[at] ?? 0);
}

function numbersIn(version: string): readonly number[] {
  return version.split(".").map(Number);
}
