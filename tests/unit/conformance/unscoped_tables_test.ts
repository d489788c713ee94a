/** Every table that is read without a scope is listed, by whom and where it says so, wherever a build tells about itself (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import picocolors from "picocolors";
import { auditReport, printAudit } from "../../../cli/commands/audit_sql/audit_report.ts";
import { reportConformance } from "../../../cli/commands/conformance/command.ts";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import { emitConformanceManifest } from "../../../shared/oracle/manifest.ts";
import { unscopedTables } from "../../../shared/oracle/unscoped_tables.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { analyzed, CONFIG_FILE, toldOf } from "../../support/analysis.ts";
import { NO_PLACES } from "../../../shared/oracle/places.ts";

const IMPORT = 'import { feature, q } from "quickback";\n';

function modelOf(config: string, tables: Readonly<Record<string, string>>): ProjectModel {
  const { model, errors } = analyzed({
    [CONFIG_FILE]: config,
    ...Object.fromEntries(
      Object.entries(tables).map(([name, text]) => [
        `quickback/features/desk/${name}.ts`,
        IMPORT + text,
      ]),
    ),
  });
  assert(model, toldOf(errors).join("\n"));
  return model;
}

const DESK = modelOf('export default { name: "desk" };\n', {
  desk:
    'export default feature("desk", { columns: { organizationId: q.scope("organization") }, read: { access: { roles: ["agent"] } } });\n',
  notes: 'export const notes = q.table("notes", { text: q.text() });\n',
  levels: 'export const levels = q.table("levels", { name: q.text() }, { exception: true });\n',
  countries:
    'export default feature("countries", { columns: { name: q.text() }, firewall: { exception: true } });\n',
  drafts: `export default feature("drafts", { columns: { organizationId: q.scope("organization") },
firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["auditor"] }] });
`,
});

const UNSCOPED = [
  "read without a scope: countries, by everybody (quickback/features/desk/countries.ts:2)",
  "read without a scope: drafts, by role:auditor, teamless, apiKeyReader (quickback/features/desk/drafts.ts:2)",
  "read without a scope: levels, by everybody (quickback/features/desk/levels.ts:2)",
];

/** What a command prints, and its exit code. */
function printed<T>(print: (terminal: Parameters<typeof printAudit>[1]) => T): [string[], T] {
  const lines: string[] = [];
  const colors = picocolors.createColors(false);
  const result = print({
    out: (line) => void lines.push(line),
    err: () => {},
    progress: () => {},
    outColors: colors,
    errColors: colors,
  });
  return [lines, result];
}

Deno.test("audit-sql lists the tables that are read without a scope, and finds nothing wrong with them", () => {
  const audit = auditRequests([], DESK, []);
  const report = auditReport(audit, DESK, NO_PLACES);
  assertEquals(report.unscoped.map(({ table }) => table), ["countries", "drafts", "levels"]);
  assertEquals(report.findings, []);
  const [lines] = printed((terminal) => printAudit(report, terminal));
  assertEquals(lines.filter((line) => line.includes("scope")).map((line) => line.trim()), UNSCOPED);
});

Deno.test("the conformance report lists them, and is as good as without them", () => {
  const report = {
    routes: 1,
    principals: 1,
    requests: 1,
    mismatches: [],
    uncovered: [],
    unscoped: unscopedTables(DESK),
  };
  const [lines, exit] = printed((terminal) => reportConformance(report, terminal));
  assertEquals(lines.slice(0, -1), UNSCOPED);
  assertEquals(exit, 0);
});

Deno.test("the conformance manifest ends with them", () => {
  const entries: readonly Record<string, unknown>[] = JSON.parse(emitConformanceManifest(DESK));
  const [countries, drafts, levels, ...rest] = entries.filter((one) => one["table"] !== undefined);
  assertEquals(rest, []);
  assertEquals(entries.at(-1), levels);
  assertEquals([countries?.["table"], levels?.["table"]], ["countries", "levels"]);
  assertEquals(drafts, {
    table: "drafts",
    principals: ["role:auditor", "teamless", "apiKeyReader"],
    outcome: "unscoped",
    rule: {
      text: "read without a scope",
      file: "quickback/features/desk/drafts.ts",
      line: 2,
    },
  });
});

Deno.test("without organizations, a table that belongs to no owner is listed too", () => {
  const model = modelOf('export default { name: "desk", features: { organizations: false } };\n', {
    desk: 'export default feature("desk", { columns: { ownerId: q.scope("owner") } });\n',
    notes: 'export const notes = q.table("notes", { text: q.text() });\n',
  });
  assertEquals(
    unscopedTables(model).map(({ table, isEverybodys }) => [table, isEverybodys]),
    [["notes", true]],
  );
});
