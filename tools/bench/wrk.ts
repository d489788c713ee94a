/** Load from `wrk`, a process of its own with persistent connections. */
import { join } from "node:path";

/** One request of a cycle. */
export interface WrkRequest {
  readonly method: string;
  readonly path: string;
  /** JSON on one line. */
  readonly body?: string;
  /** Token of this request's caller. */
  readonly token?: string;
}

export interface Load {
  readonly requestsPerSecond: number;
  readonly requests: number;
  /** Answers without success. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const CONNECTIONS = 32;

/** Throws if the tool is missing, and names where to get it. */
export async function requireWrk(): Promise<void> {
  try {
    await new Deno.Command("wrk", { args: ["-v"], stdout: "null", stderr: "null" }).output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(
      "The benchmark needs wrk: apt-get install wrk (Debian, Ubuntu), brew install wrk (macOS), " +
        "or https://github.com/wg/wrk",
    );
  }
}

/** Sends the requests in cycles for this many seconds. */
export async function load(
  origin: string,
  requests: readonly WrkRequest[],
  { headers, seconds, folder, from = 0, connections = CONNECTIONS }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly seconds: number;
    readonly folder: string;
    /** Index in the cycle to start at. */
    readonly from?: number;
    readonly connections?: number;
  },
): Promise<Load> {
  // Several runs may be active, each against its own server.
  const { port } = new URL(origin);
  const file = join(folder, `requests-${port}.tsv`);
  const lines = requests.map(({ method, path, body = "", token = "" }) =>
    `${method}\t${path}\t${body}\t${token}\n`
  );
  await Deno.writeTextFile(file, lines.join(""));
  const script = join(folder, `load-${port}.lua`);
  await Deno.writeTextFile(script, scriptOf(file, headers, from));
  const { stdout, stderr, success } = await new Deno.Command("wrk", {
    args: ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, origin],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  const [, json] = /^RESULT (.*)$/m.exec(text) ?? [];
  if (!success || json === undefined) throw new Error(text + new TextDecoder().decode(stderr));
  const said: Readonly<Record<string, number>> = JSON.parse(json);
  const number = (name: string) => said[name] ?? NaN;
  return {
    requests: number("requests"),
    requestsPerSecond: number("requests") / (number("micros") / 1e6),
    failures: number("failures"),
    p50Ms: number("p50") / 1000,
    p99Ms: number("p99") / 1000,
  };
}

/** Makes wrk's script. A line is a request, assembled once, so that the load costs little. */
function scriptOf(requestsFile: string, headers: Readonly<Record<string, string>>, from: number) {
  const fields = Object.entries(headers).map(([name, value]) => `["${name}"]="${value}"`);
  return `local texts = {}
local at = ${from}
function init(args)
  local headers = {${fields.join(",")}}
  for line in io.lines("${requestsFile}") do
    local method, path, body, token = line:match("^(%u+)\t([^\t]+)\t([^\t]*)\t(.*)$")
    if token ~= "" then headers["authorization"] = "Bearer " .. token end
    texts[#texts + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end
function request()
  at = at % #texts + 1
  return texts[at]
end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('RESULT {"requests":%d,"micros":%d,"failures":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;
}
