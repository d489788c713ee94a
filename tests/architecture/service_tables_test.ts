/** One record per service table (`SERVICE_TABLES`): complete, and the only place that lists tables. */
import { assertEquals } from "@std/assert";
import * as model from "../../shared/model/mod.ts";
import {
  OUTBOX_NAMES,
  outboxOf,
  QUEUE_NAMES,
  SERVICE_TABLE_NAMES,
  SERVICE_TABLES,
  serviceRecords,
  type ServiceTableName,
} from "../../shared/model/mod.ts";
import { readText, sourcesBelow } from "./source_tree.ts";

const PRODUCT = [
  "shared",
  "cli",
  "library/platform",
  "proof",
  "library/testing",
  "container",
  "edge",
  "playground",
];

Deno.test("each record of a service table stands under the table's name", () => {
  assertEquals(Object.keys(SERVICE_TABLES), serviceRecords().map(({ table }) => table.name));
});

Deno.test("columns that a record of a service table names are the table's", () => {
  const missing = serviceRecords().flatMap(({ table, ownedBy, sweptBy, outbox }) => {
    const { receiver, nextAttempt, round, fence, startedAt, unique = [], states } = outbox ?? {};
    const named = [
      ...[ownedBy?.column, ...sweptBy, receiver, nextAttempt, round, fence, startedAt, ...unique],
      ...(outbox ? ["id", "attempts", "created_at", "queued_at"] : []),
      ...(states ? ["status"] : []),
    ];
    const columns = table.columns.map(({ name }) => name);
    return named.filter((name) => name !== undefined && !columns.includes(name))
      .map((name) => `${table.name}.${name}`);
  });
  assertEquals(missing, []);
});

Deno.test("rows that are traced to rows of another service table find its record", () => {
  const parents = serviceRecords().flatMap(({ ownedBy }) =>
    ownedBy?.kind === "service" ? [ownedBy.table] : []
  );
  const orphans = parents.filter((parent) =>
    !serviceRecords().some(({ table }) => table === parent)
  );
  assertEquals(orphans.map(({ name }) => name), []);
});

Deno.test("each kind of work has its own queue and its own label", () => {
  const labels = OUTBOX_NAMES.map((name) => outboxOf(name).label);
  assertEquals(new Set(labels).size, labels.length);
  assertEquals(new Set(QUEUE_NAMES).size, QUEUE_NAMES.length);
});

Deno.test("the guide to metrics lists the label of each kind of work", () => {
  const guide = readText("docs/guides/operations.md").replaceAll(/\s+/g, " ");
  const labels = OUTBOX_NAMES.map((name) => `\`${outboxOf(name).label}\``);
  const listed = `\`outbox\` is one of ${labels.slice(0, -1).join(", ")} and ${labels.at(-1)}`;
  assertEquals(guide.includes(listed), true, `docs/guides/operations.md does not say: ${listed}`);
});

/** Files where the SQL of a table stands, of tables that have more than one file of the data layer. */
const SQL_OF: Readonly<Partial<Record<ServiceTableName, readonly string[]>>> = {
  audit_events: [
    "shared/accounts/credentials/audit.ts",
    "shared/runtime/data/write_row.ts",
    "shared/runtime/operations/public_audit.ts",
  ],
  audit_changes: [
    "proof/audit/audit_statement.ts",
    "shared/runtime/data/changes/change_chain.ts",
    "shared/runtime/data/changes/run_audit_command.ts",
    "shared/runtime/data/changes/verify_chains.ts",
    "shared/runtime/data/record_history.ts",
  ],
  audit_chains: [
    "shared/runtime/data/changes/change_chain.ts",
    "shared/runtime/data/changes/verify_chains.ts",
  ],
  qb_security_events: [
    "shared/accounts/credentials/operator_acts.ts",
    "shared/accounts/security_log/security_log.ts",
    "shared/runtime/data/security_events.ts",
  ],
  organization_purges: [
    "shared/runtime/data/outbox_rows.ts",
    "shared/runtime/data/purges.ts",
    "shared/runtime/data/tenants/tenant_copy.ts",
  ],
  tenant_databases: [
    "shared/accounts/credentials/account_statements.ts",
    "shared/accounts/credentials/event_project.ts",
    "shared/runtime/data/tenants/scratch_tenants.ts",
    "shared/runtime/data/tenants/tenant_commands.ts",
    "shared/runtime/data/tenants/tenant_rows.ts",
  ],
  webhook_endpoints: [
    "shared/accounts/credentials/account_statements.ts",
    "shared/accounts/credentials/credentials.ts",
    "shared/runtime/data/webhooks/deliveries.ts",
    "shared/runtime/data/webhooks/endpoints.ts",
  ],
  quickback_job_runs: [
    "shared/runtime/data/embeddings.ts",
    "shared/runtime/data/job_runs.ts",
  ],
  qb_sequences: [
    "shared/compiler/migrations/made_sql.ts",
    "shared/runtime/data/made_values.ts",
  ],
  quickback_jobs: [
    "shared/runtime/data/database_queue.ts",
    "shared/runtime/data/outbox_rows.ts",
  ],
};

/** The checker holds its keys to the records. */
const KINDS = "shared/runtime/background/kinds.ts";

Deno.test("a service table is named at its record and where its own SQL stands, and nowhere else", () => {
  const naming = namingFiles();
  const offences = SERVICE_TABLE_NAMES.flatMap((name) => {
    const paths = naming.filter((file) => file.names.has(name)).map(({ path }) => path)
      .filter((path) => !path.startsWith("shared/model/") && path !== KINDS);
    const home = paths.find((path) => path.startsWith("shared/runtime/data/"));
    const allowed = SQL_OF[name] ?? [home];
    return paths.filter((path) => !allowed.includes(path)).map((path) => `${path} names ${name}`);
  });
  assertEquals(offences, []);
});

Deno.test("what is said to have a service table's SQL names it", () => {
  const naming = namingFiles();
  const silent = SERVICE_TABLE_NAMES.flatMap((name) =>
    (SQL_OF[name] ?? [])
      .filter((path) => !naming.some((file) => file.path === path && file.names.has(name)))
      .map((path) => `${path} does not name ${name}`)
  );
  assertEquals(silent, []);
});

interface NamingFile {
  readonly path: string;
  /** Tables that the code names. */
  readonly names: ReadonlySet<string>;
}

let found: readonly NamingFile[] | null = null;

/** Files whose code has the name of a service table in SQL, or its constant of the model. */
function namingFiles(): readonly NamingFile[] {
  return found ??= sourcesBelow(...PRODUCT).flatMap(({ path, text }) => {
    const inText = namesIn(text, text);
    const names = inText.length === 0 ? [] : namesIn(codeOf(text), text);
    return names.length === 0 ? [] : [{ path, names: new Set(names) }];
  });
}

function namesIn(code: string, text: string): readonly ServiceTableName[] {
  const words = new Set(code.match(/\w+/g));
  const isFromModel = FROM_MODEL.test(text);
  return SERVICE_TABLE_NAMES.filter((name) =>
    words.has(name) ||
    (isFromModel && (CONSTANTS[name] ?? []).some((constant) => words.has(constant)))
  );
}

/** Names under which the model exports tables. */
const CONSTANTS = Object.fromEntries(
  SERVICE_TABLE_NAMES.map((name) => [
    name,
    Object.entries(model).flatMap(([key, value]) =>
      value === SERVICE_TABLES[name].table ? [key] : []
    ),
  ]),
);

/** The text without comments and names of modules. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")
    .replace(/\bfrom "[^"]*"/g, "");
}

const FROM_MODEL = /\bfrom "[^"]*\/model\/\w+\.ts"/;
