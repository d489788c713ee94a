/** Reads a Dockerfile as far as ours go: stages of instructions, long lines joined, comments left out. */

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export interface Dockerfile {
  /** Before the first stage: what a builder may set. */
  readonly args: ReadonlyMap<string, string>;
  readonly stages: readonly (readonly Instruction[])[];
}

export function readDockerfile(text: string): Dockerfile {
  const lines = text.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", "").split("\n");
  const all = lines.flatMap((line) => {
    const [, keyword, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return keyword === undefined || rest === undefined
      ? []
      : [{ keyword, text: rest.replaceAll(/ +/g, " ").trim() }];
  });
  const starts = all.flatMap(({ keyword }, at) => keyword === "FROM" ? [at] : []);
  return {
    args: pairsOf(all.slice(0, starts[0]), "ARG"),
    stages: starts.map((start, at) => all.slice(start, starts[at + 1])),
  };
}

/** What stands behind a keyword in a stage, once or more. */
export function textsOf(stage: readonly Instruction[], keyword: string): readonly string[] {
  return stage.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text);
}

/** `A=1 B=2` of each `ENV` or `ARG`. */
export function pairsOf(
  stage: readonly Instruction[],
  keyword: string,
): ReadonlyMap<string, string> {
  const pairs = textsOf(stage, keyword).flatMap((text) => text.split(" "));
  return new Map(pairs.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  }));
}

/** The command of a `CMD ["…"]`, or of the one inside of a `HEALTHCHECK`. */
export function commandOf(stage: readonly Instruction[], keyword: string): readonly string[] {
  const [, list] = /(\[.*\])$/.exec(textsOf(stage, keyword).at(-1) ?? "") ?? [];
  const words: unknown = JSON.parse(list ?? "[]");
  if (!Array.isArray(words)) throw new Error(`${keyword} has no list`);
  return words.map(String);
}
