/** Profiles the generated API's processor time by part of the runtime, from V8's samples over the inspector during load. */
import { load, type WrkRequest } from "./wrk.ts";

/** Sampled time of one function without the functions it calls. */
export interface Sampled {
  readonly name: string;
  /** Path within the output's runtime, or the name of another part. */
  readonly file: string;
  readonly line: number;
  /** Share of all samples in which the processor worked. */
  readonly share: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Sends the load and takes samples. `inspector` is the `host:port` of the process's inspector. */
export async function profiled(
  inspector: string,
  run: { readonly origin: string; readonly requests: readonly WrkRequest[] },
  options: Parameters<typeof load>[2],
): Promise<readonly Sampled[]> {
  await load(run.origin, run.requests, options);
  const targets: readonly { readonly webSocketDebuggerUrl: string }[] =
    await (await fetch(`http://${inspector}/json`)).json();
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.onopen = resolve);
  const ask = asking(socket);
  await ask("Profiler.enable");
  await ask("Profiler.setSamplingInterval", { interval: 200 });
  await ask("Profiler.start");
  await load(run.origin, run.requests, options);
  const { profile } = await ask("Profiler.stop") as { readonly profile: Profile };
  socket.close();
  return sampled(profile);
}

function asking(socket: WebSocket) {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
  };
  return (method: string, params: Readonly<Record<string, unknown>> = {}) =>
    new Promise<unknown>((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}

/** Functions that are no work: waiting, and the profiler. */
const NO_WORK: readonly string[] = ["(root)", "(idle)"];

function sampled({ nodes, samples, timeDeltas }: Profile): readonly Sampled[] {
  const byNode = new Map(nodes.map((node) => [node.id, node]));
  const micros = new Map<string, { readonly node: ProfileNode; micros: number }>();
  let all = 0;
  for (const [at, id] of samples.entries()) {
    const node = byNode.get(id);
    if (!node || NO_WORK.includes(node.callFrame.functionName)) continue;
    const time = Math.max(0, timeDeltas[at + 1] ?? 0);
    all += time;
    const { functionName, url, lineNumber } = node.callFrame;
    const key = `${functionName} ${url} ${lineNumber}`;
    const known = micros.get(key);
    if (known) known.micros += time;
    else micros.set(key, { node, micros: time });
  }
  return [...micros.values()].map(({ node: { callFrame }, micros }) => ({
    name: callFrame.functionName || "(anonymous)",
    file: fileOf(callFrame),
    line: callFrame.lineNumber + 1,
    share: micros / all,
  })).toSorted((a, b) => b.share - a.share);
}

function fileOf({ url, lineNumber }: ProfileNode["callFrame"]): string {
  if (/\/src\/quickback\/built\//.test(url)) {
    const above = linesOf(url).slice(0, lineNumber + 1);
    return above.findLast((line) => SOURCE.test(line))?.slice(3) ?? url;
  }
  const [, library] = /\/registry\.npmjs\.org\/([^/]+(?:\/[^/]+)?)\//.exec(url) ?? [];
  return library ?? (url === "" ? "native" : url);
}

/** Matches the comment in a built module that names the source of the lines below. */
const SOURCE = /^\/\/ [\w./-]+\.ts$/;

const LINES = new Map<string, readonly string[]>();

function linesOf(url: string): readonly string[] {
  const lines = LINES.get(url) ?? Deno.readTextFileSync(new URL(url)).split("\n");
  LINES.set(url, lines);
  return lines;
}
