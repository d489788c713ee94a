/** Runs the compiler's first four phases over a few files. */
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import { atOnce } from "../../shared/lib/steps.ts";
import { Report } from "../../shared/compiler/diagnostics/report.ts";
import { read } from "../../shared/compiler/phases/1-read/read.ts";
import { parse } from "../../shared/compiler/phases/2-parse/parse.ts";
import { evaluate } from "../../shared/compiler/phases/3-evaluate/evaluate.ts";
import { analyze } from "../../shared/compiler/phases/4-analyze/analyze.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";
import type { TableModel } from "../../shared/model/table.ts";
import { assertEquals } from "./assert.ts";

export interface Analyzed {
  readonly model: ProjectModel | null;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export type Files = Readonly<Record<string, string>>;

/** One mistake: what is wrong, the lines that say it, and every diagnostic that answers them. */
export type MistakeRow = readonly [title: string, source: string, expected: readonly string[]];

export const CONFIG_FILE = "quickback/quickback.config.ts";
export const JOBS_FILE = "quickback/features/jobs/jobs.ts";
export const CUSTOMERS_FILE = "quickback/features/customers/customers.ts";

const PLAIN_CONFIG =
  'export default { name: "sample", auth: { roleHierarchy: ["viewer", "agent", "admin"] } };\n';

const CUSTOMERS = `import { feature, q } from "quickback";
export default feature("customers", {
  columns: { organizationId: q.scope("organization"), name: q.text() },
});
`;

export function analyzed(
  files: Files,
  inputSchemas: Readonly<Record<string, unknown>> | null = null,
): Analyzed {
  const report = new Report();
  const definitions = atOnce(evaluate(atOnce(parse(read(files, report), report)), report));
  const model = atOnce(analyze(definitions, report, { inputSchemas }));
  return { model, errors: report.errors, warnings: report.warnings };
}

/** The files beside a configuration and a neighbouring table that are right. */
export function analyzedProject(files: Files): Analyzed {
  return analyzed({ [CONFIG_FILE]: PLAIN_CONFIG, [CUSTOMERS_FILE]: CUSTOMERS, ...files });
}

/** A configuration; `source` begins at line 3. */
export function withConfig(source: string): Analyzed {
  const imports = "defineAuth, defineConfig, defineDatabase, defineRuntime";
  const text = `import { ${imports} } from "quickback";
export default defineConfig({ name: "sample",
${source}
});
`;
  return analyzedProject({ [CONFIG_FILE]: text });
}

/** Columns of an organization's table; `source` begins at line 4. */
export function withColumns(source: string): Analyzed {
  return withJobs(`columns: { organizationId: q.scope("organization"),
${source}
} });
`);
}

/** Columns in drizzle's notation; `source` begins at line 4. */
export function withDrizzleColumns(source: string): Analyzed {
  const text = `import { defineTable } from "quickback";
import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
const jobs = sqliteTable("jobs", { organizationId: text("organization_id").notNull(),
${source}
});
export default defineTable(jobs, {});
`;
  return analyzedProject({ [JOBS_FILE]: text });
}

/** Keys of a resource with a column of every kind; `source` begins at line 4. */
export function withResource(source: string): Analyzed {
  const columns = [
    'organizationId: q.scope("organization")',
    'title: q.text({ maxLength: 20 }).required().default("New")',
    'status: q.enum(["open", "closed"]).required().default("open")',
    "amount: q.int()",
    "done: q.bool()",
    "dueAt: q.timestamp()",
    "settings: q.json()",
    "note: q.text()",
    "customerId: q.text().references(() => customers.id)",
  ].join(", ");
  return withJobs(`columns: { ${columns} },
${source}
});
`);
}

function withJobs(rest: string): Analyzed {
  const text = `import { feature, q } from "quickback";
import customers from "../customers/customers.ts";
export default feature("jobs", { ${rest}`;
  return analyzedProject({ [JOBS_FILE]: text });
}

/** `CODE line:column message | hint` for each. */
export function toldOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, place, message, hint }) => {
    const line = `${code} ${place.line}:${place.column} ${message}`;
    return hint === null ? line : `${line} | ${hint}`;
  });
}

/** The table of jobs, from definitions without errors. */
export function jobsTable(result: Analyzed): TableModel {
  assertEquals(toldOf(result.errors), []);
  const table = result.model?.tables.find((candidate) => candidate.name === "jobs");
  if (!table) throw new Error("There is no table jobs");
  return table;
}

/** The resource of jobs, from definitions without errors. */
export function jobsResource(result: Analyzed): ResourceModel {
  assertEquals(toldOf(result.errors), []);
  const resource = result.model?.resources.find((candidate) => candidate.name === "jobs");
  if (!resource) throw new Error("There is no resource jobs");
  return resource;
}
