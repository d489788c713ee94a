/** Reports an audit of statements, for people and for programs. */
import type { Audit } from "../../../proof/audit/audit_requests.ts";
import type { Clearance, Fault } from "../../../proof/audit/finding.ts";
import { firewallText } from "../../../shared/surface/mod.ts";
import { type DefinitionPlaces, placeText, predicatePlace } from "../../../shared/oracle/places.ts";
import type { UnscopedTable } from "../../../shared/oracle/unscoped_tables.ts";
import { unscopedTables, unscopedText } from "../../../shared/oracle/unscoped_tables.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import type { Terminal } from "../../terminal.ts";

interface AuditReport {
  readonly requests: number;
  readonly statements: number;
  readonly texts: number;
  readonly uses: Readonly<Record<string, number>>;
  readonly unused: readonly string[];
  /** Tables that are declared to restrict no caller to their own rows. */
  readonly unscoped: readonly UnscopedTable[];
  /** Actions that are declared to read beyond a scope. */
  readonly unsafe: readonly { readonly action: string; readonly place: string }[];
  readonly findings: readonly ReportedFinding[];
}

interface ReportedFinding {
  readonly message: string;
  /** Place of the violated rule; null: it is in no definition. */
  readonly place: string | null;
  readonly request: string;
  readonly principal: string;
  readonly sql: string;
}

export function auditReport(
  audit: Audit,
  model: ProjectModel,
  places: DefinitionPlaces,
): AuditReport {
  return {
    requests: audit.requests,
    statements: audit.statements,
    texts: audit.texts,
    uses: Object.fromEntries(audit.clearances),
    unused: audit.unused,
    unscoped: unscopedTables(model),
    unsafe: [
      ...model.actions.flatMap(({ key, unsafe, origin }) =>
        unsafe === null ? [] : [{ action: key, place: placeText(origin) }]
      ),
      ...(model.authored.jobs ?? []).flatMap(({ name, unsafe, module }) =>
        unsafe ? [{ action: `job:${name}`, place: module }] : []
      ),
    ],
    findings: audit.findings.map((finding) => ({
      message: faultText(finding.fault),
      place: faultPlace(finding.fault, places),
      request: `${finding.request.method} ${finding.request.path}`,
      principal: finding.request.principal,
      sql: finding.statement.sql,
    })),
  };
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case "predicateMissing":
      return `The ${fault.role} of "${fault.table.name}" is not held to ${
        firewallText(fault.predicate)
      }`;
    case "scopeNotWritten":
      return `A row of "${fault.table.name}" is written without its caller's "${fault.column}"`;
    case "replacesRows":
      return `Writing to "${fault.table.name}" replaces whichever row is in the way`;
    case "chainNotBound":
      return "The history of another organization's records could be read";
    case "unknownTable":
      return `"${fault.name}" is no table of the project`;
    case "unreadable":
      return "This is no statement that can be audited";
  }
}

function faultPlace(fault: Fault, places: DefinitionPlaces): string | null {
  switch (fault.kind) {
    case "predicateMissing":
      return placeText(predicatePlace(fault.table, fault.predicate, places));
    case "scopeNotWritten":
    case "replacesRows":
      return placeText(fault.table.origin);
    default:
      return null;
  }
}

/** Clearances with their texts, in the order of the report. */
const USES: readonly (readonly [Clearance, string])[] = [
  ["scoped", "carry every predicate of their definition"],
  ["stamped", "write rows with their caller's scope"],
  ["written", "name rows that the same transaction met or wrote in scope"],
  ["deletionProbe", "ask whether a missed row is the caller's own and deleted"],
  ["fileBytes", "sum up the bytes of the tenant's files"],
  ["namedTenant", "ask of which organization the row is that an input names"],
  ["takenNumbers", "ask which numbers of a sequence the organization's rows have"],
  ["livingChildren", "ask whether living rows of the tenant refer to a row"],
  ["related", "ask for related rows as a rule does, in their tenant"],
  ["framedRows", "read rows of the tenant by which frames are judged for each subscriber"],
  ["restorable", "are of deleted rows, for callers who may restore them"],
  ["cascade", "follow a row in scope along a declared foreign key"],
  ["unsafe", "stand on a declared unsafe"],
  ["job", "are of jobs, which reach every owner in their tenant"],
  ["service", "are of the service's own tables"],
];

export function printAudit(report: AuditReport, { out, outColors }: Terminal): void {
  const { requests, statements, texts, uses, unused, unscoped, unsafe, findings } = report;
  for (const { message, place, request, principal, sql } of findings) {
    out(`${outColors.red("error")} ${message}`);
    if (place !== null) out(`  ${place}`);
    out(`  ${request} as ${principal}`);
    out(`  ${sql}\n`);
  }
  out(`${requests} requests, ${statements} statements, ${texts} different texts`);
  for (const [clearance, text] of USES) {
    const count = uses[clearance] ?? 0;
    if (count > 0) out(`  ${count} uses of tables ${text}`);
  }
  for (const table of unscoped) out(`  ${unscopedText(table)}`);
  for (const { action, place } of unsafe) out(`  unsafe: ${action} (${place})`);
  if (unused.length > 0) out(`  no statement used ${unused.join(", ")}`);
  out(`${findings.length} ${findings.length === 1 ? "finding" : "findings"}`);
}
