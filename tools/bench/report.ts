/** Formats the figures as Markdown tables and as a plot. */
import { htmlText } from "../../shared/lib/texts.ts";
import { type ContenderName, CONTENDERS } from "./contender.ts";
import type { Compared, PartShare } from "./extras.ts";
import type { Figures, Measured, MeasuredCase } from "./measure_cases.ts";

export interface Extras {
  readonly credentials: readonly Compared[];
  readonly depths: readonly Compared[];
  readonly processes: readonly Compared[];
  readonly memory: {
    readonly restMb: number;
    readonly soakedMb: number;
    readonly requests: number;
  };
  readonly parts: readonly (readonly [caseName: string, parts: readonly PartShare[]])[];
}

type Pick = (one: Figures) => number;

function figureOf({ figures }: MeasuredCase, name: ContenderName, pick: Pick): number {
  const found = figures.get(name);
  return found ? pick(found) : NaN;
}

const rateOf: Pick = (one) => one.requestsPerSecond;
const cpuOf: Pick = (one) => one.cpuMicros;

/** Formats a number; empty if it was not measured. */
function cell(value: number, digits = 0): string {
  return Number.isFinite(value)
    ? value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })
    : "";
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = heads.map((_, at) => at === 0 ? "---" : "--:");
  return [line(heads), line(rule), ...rows.map(line)].join("\n");
}

export function casesTables({ cases, contenders }: Measured): string {
  const rates = cases.map((one) => {
    const [ours, hand, limit] = CONTENDERS.map((name) => figureOf(one, name, rateOf));
    return [
      one.case.name,
      cell(ours ?? NaN),
      cell(hand ?? NaN),
      cell(limit ?? NaN),
      cell((ours ?? NaN) / (hand ?? NaN), 2),
      cell(one.case.overHand ?? NaN, 1),
      cell((ours ?? NaN) / (limit ?? NaN), 2),
      cell(one.case.overLimit ?? NaN, 2),
    ];
  });
  const costs = cases.map((one) => {
    const [ours, hand, limit] = CONTENDERS.map((name) => figureOf(one, name, cpuOf));
    const failures = [...one.figures.values()].reduce((sum, { failures }) => sum + failures, 0);
    return [
      failures === 0 ? one.case.name : `${one.case.name} (${failures} failed)`,
      cell(ours ?? NaN),
      cell(hand ?? NaN),
      cell(limit ?? NaN),
      cell((hand ?? NaN) / (ours ?? NaN), 2),
      cell((limit ?? NaN) / (ours ?? NaN), 2),
      cell(figureOf(one, "generated", ({ p50Ms }) => p50Ms), 1),
      cell(figureOf(one, "generated", ({ p99Ms }) => p99Ms), 1),
    ];
  });
  const processes = CONTENDERS.map((name) => {
    const found = contenders.get(name);
    return [
      name,
      ...[found?.startMs, found?.restMb, found?.memoryMb].map((one) => cell(one ?? NaN)),
    ];
  });
  return [
    "Requests per second, and their ratios beside the ratios that are aimed at:",
    table(["", "generated", "hand", "limit", "÷ hand", "aim", "÷ limit", "aim"], rates),
    "Processor time per request in microseconds, that of the others divided by the generated one's, and milliseconds until an " +
    "answer:",
    table(["", "generated", "hand", "limit", "hand ÷", "limit ÷", "p50", "p99"], costs),
    "Milliseconds from the start of the process to its first 200, and megabytes that it holds:",
    table(["", "first 200", "at rest", "after all of it"], processes),
  ].join("\n\n");
}

export function extrasTables({ credentials, depths, processes, memory, parts }: Extras): string {
  const rows = [...credentials, ...depths, ...processes].map((one) => [
    one.failures === 0 ? one.name : `${one.name} (${one.failures} failed)`,
    cell(one.requestsPerSecond),
    cell(one.ratio, 2),
    cell(one.cpuMicros),
    cell(one.cpuRatio, 2),
  ]);
  const names = [...new Set(parts.flatMap(([, shares]) => shares.map(({ name }) => name)))];
  const shares = names.map((name) => [
    name,
    ...parts.map(([, some]) => cell((some.find((one) => one.name === name)?.share ?? 0) * 100, 1)),
  ]);
  return [
    "The generated API alone, each ratio to the first row of its kind: single reads by credential, pages of 20 by cursor " +
    "in a list of 1,000,000, single reads of two processes over one file:",
    table(["", "requests/s", "ratio", "CPU µs", "ratio"], rows),
    `Memory of one process: ${cell(memory.restMb)} MB at rest, ${cell(memory.soakedMb)} MB after ` +
    `${cell(memory.requests)} single reads.`,
    "Where the processor time goes, in percent of V8's samples:",
    table(["", ...parts.map(([name]) => name)], shares),
  ].join("\n\n");
}

const COLORS: Readonly<Record<ContenderName, string>> = {
  generated: "#2563eb",
  hand: "#f97316",
  limit: "#9ca3af",
};
const LABEL_WIDTH = 190;
const BAR_WIDTH = 520;
const BAR_HEIGHT = 10;
const GROUP_HEIGHT = 44;
const TOP = 40;

/** Draws bars of processor time per request. Each case is scaled to its slowest contender, so shorter is faster. */
export function plotOf({ cases }: Measured): string {
  const height = TOP + cases.length * GROUP_HEIGHT;
  const legend = CONTENDERS.map((name, at) => {
    const x = LABEL_WIDTH + at * 130;
    return `<rect x="${x}" y="12" width="10" height="10" fill="${COLORS[name]}"/>` +
      `<text x="${x + 16}" y="21">${name}</text>`;
  });
  const groups = cases.map((one, at) => {
    const y = TOP + at * GROUP_HEIGHT;
    const costs = CONTENDERS.map((name) => [name, figureOf(one, name, cpuOf)] as const)
      .filter(([, cost]) => Number.isFinite(cost));
    const most = Math.max(...costs.map(([, cost]) => cost));
    const bars = costs.map(([name, cost], bar) => {
      const width = cost / most * BAR_WIDTH;
      const barY = y + bar * (BAR_HEIGHT + 2);
      const rect = `<rect x="${LABEL_WIDTH}" y="${barY}" width="${width.toFixed(1)}" ` +
        `height="${BAR_HEIGHT}" fill="${COLORS[name]}"/>`;
      const x = (LABEL_WIDTH + width + 5).toFixed(1);
      return `${rect}<text x="${x}" y="${barY + 9}">${cell(cost)} µs</text>`;
    });
    return `<text x="${LABEL_WIDTH - 8}" y="${y + 20}" text-anchor="end">` +
      `${htmlText(one.case.name)}</text>${bars.join("")}`;
  });
  const width = LABEL_WIDTH + BAR_WIDTH + 90;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    'font-family="system-ui, sans-serif" font-size="11">\n' +
    `<title>Processor time per request</title>\n<rect width="100%" height="100%" fill="#fff"/>\n` +
    `${[...legend, ...groups].join("\n")}\n</svg>\n`;
}

const BEGIN = "<!-- bench: begin -->";
const END = "<!-- bench: end -->";

/** Inserts the tables into the page's marked place. */
export function withTables(page: string, tables: string): string {
  const start = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`The page has no "${BEGIN}" before "${END}"`);
  return `${page.slice(0, start)}${BEGIN}\n\n${tables}\n\n${page.slice(end)}`;
}
