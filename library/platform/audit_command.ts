/** Command line and output of `deno task audit …` (definitions 4, `audit`). */
import type { AuditCommand, AuditOutcome } from "../../shared/runtime/ports.ts";
import { commandLine } from "./command_line.ts";

export const AUDIT_USAGE = `deno task audit verify
  erase <resource> <record> [--organization <id>] --yes
each with [--json]`;

/** An invalid command line. */
export class AuditUsageError extends Error {
  override readonly name = "AuditUsageError";
}

/** Parses the command line. Throws `AuditUsageError` with a message for the user. */
export function readAuditCommand(
  args: readonly string[],
): { readonly command: AuditCommand; readonly isJson: boolean } {
  const { values, positionals: [verb = "", ...named] } = commandLine(args, OPTIONS, misused);
  const isJson = values.json ?? false;
  if (verb === "verify" && named.length === 0) return { command: { kind: "verify" }, isJson };
  if (verb !== "erase") {
    misused(verb === "" ? "audit needs a command" : `There is no audit ${args.join(" ")}`);
  }
  const [resource, recordId, ...others] = named;
  if (resource === undefined || recordId === undefined || others.length > 0) {
    misused("audit erase needs one resource and the id of one record");
  }
  if (!values.yes) misused(`This erases the history of '${recordId}' for ever: add --yes`);
  const organizationId = values.organization ?? null;
  return { command: { kind: "erase", resource, recordId, organizationId }, isJson };
}

/** Formats the outcome as lines: one for each chain, or the erased history. */
export function auditLines(outcome: AuditOutcome): readonly string[] {
  if (outcome.kind === "erased") {
    return [`Erased ${outcome.changes} ${outcome.changes === 1 ? "change" : "changes"}`];
  }
  if (outcome.chains.length === 0) return ["There are no changes"];
  return outcome.chains.map(({ chain, changes, erased, head, broken }) => {
    const whose = chain === "" ? "no organization" : `organization ${chain}`;
    if (broken === null) {
      const left = erased === 0 ? "" : `, ${erased} of them erased`;
      return `ok: ${changes} changes of ${whose}${left}; head ${head}`;
    }
    const row = broken.id === null ? "" : ` (${broken.id})`;
    return `BROKEN: change ${broken.sequence}${row} of ${whose}: ${broken.why}`;
  });
}

function misused(why: string): never {
  throw new AuditUsageError(`${why}:\n${AUDIT_USAGE}`);
}

const OPTIONS = {
  organization: { type: "string" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
} as const;
