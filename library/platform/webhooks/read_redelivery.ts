/** Parses the command line of `deno task redeliver`. It refuses an ambiguous one. */
import { parseArgs } from "node:util";
import { counted } from "../../../shared/lib/texts.ts";
import { normalizedDate } from "../../../shared/lib/times.ts";

export interface RedeliveryRequest {
  /** Deliveries created since this time, as ISO 8601. */
  readonly since: string;
  /** Endpoint; null: all of them. */
  readonly endpointId: string | null;
  readonly status: "failed" | "delivered";
  /** True to count without emitting. */
  readonly isRehearsal: boolean;
}

export const REDELIVERY_USAGE =
  "deno task redeliver --since <date or time> [--endpoint <id>] [--status failed|delivered] [--dry-run]";

const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const ENDPOINT = /^wep_[0-9a-f]{32}$/;

/** Parses the command line. Throws an `Error` with a message for the user. */
export function readRedelivery(args: readonly string[], now: number): RedeliveryRequest {
  const { values, tokens } = parsed(args);
  const names = tokens.flatMap((token) => token.kind === "option" ? [token.name] : []);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`--${repeated} is given more than once`);
  // This option is required, so that nobody sends all past events by mistake.
  const text = values.since;
  if (text === undefined) throw new Error(`--since is missing: ${REDELIVERY_USAGE}`);
  const since = INSTANT.test(text) ? Date.parse(text) : NaN;
  // The platform would accept 30 February as a day of March.
  const isReal = !Number.isNaN(since) && normalizedDate(text.slice(0, 10)) !== null;
  if (!isReal) {
    throw new Error(
      `--since needs a date such as 2026-01-31, or a time such as 2026-01-31T10:20:30Z, not '${text}'`,
    );
  }
  if (since > now) throw new Error(`--since must not be in the future, as '${text}' is`);
  if (values.endpoint !== undefined && !ENDPOINT.test(values.endpoint)) {
    throw new Error(`--endpoint needs the id of an endpoint, wep_…, not '${values.endpoint}'`);
  }
  return {
    since: new Date(since).toISOString(),
    endpointId: values.endpoint ?? null,
    status: readStatus(values.status),
    isRehearsal: values["dry-run"] ?? false,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        since: { type: "string" },
        endpoint: { type: "string" },
        status: { type: "string" },
        "dry-run": { type: "boolean" },
      },
      strict: true,
      allowPositionals: false,
      tokens: true,
    });
  } catch (error) {
    // Only the parser's own message is shown.
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${error.message}: ${REDELIVERY_USAGE}`, { cause: error });
  }
}

function readStatus(text = "failed"): "failed" | "delivered" {
  if (text === "failed" || text === "delivered") return text;
  throw new Error(`--status needs failed or delivered, not '${text}'`);
}

/** Formats the final report of the command. */
export function redeliveryReport(
  { isRehearsal }: RedeliveryRequest,
  { deliveries, endpoints }: { readonly deliveries: number; readonly endpoints: number },
): string {
  const told = isRehearsal ? "Would emit again" : "Emitted again";
  return `${told}: ${counted(deliveries, "event")} to ${counted(endpoints, "endpoint")}`;
}
