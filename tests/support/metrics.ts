/** Samples of a text in Prometheus' exposition format. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function samplesIn(text: string): readonly Sample[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
    const [, name = "", labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === "") throw new Error(`No sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)];
    return {
      name,
      labels: Object.fromEntries(pairs.map(([, key = "", text = ""]) => [key, text])),
      value: Number(value),
    };
  });
}
