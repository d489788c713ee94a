/**
 * Audits a whole recording against the definitions: returns the findings, and the figures behind "no findings" (docs/proof.md,
 * audit-sql).
 */
import { firewallColumns, searchTablesOf } from "../../shared/surface/mod.ts";
import { ANONYMOUS } from "../../shared/model/mod.ts";
import type { ActionModel, Principal, ProjectModel, TableModel } from "../../shared/model/mod.ts";
import type { TenantOfModel } from "../../shared/model/mod.ts";
import { routeFinder } from "../why/route_at.ts";
import type { AuditedSchema, AuditScope, Restorable } from "./audit_scope.ts";
import { auditStatement, type StatementAudit } from "./audit_statement.ts";
import { liftedBy } from "./required_scope.ts";
import { mayAdmit } from "../../shared/oracle/judge.ts";
import type { Clearance, Fault, Finding } from "./finding.ts";
import { auditedRules } from "./held_rules.ts";
import type { KnownRows } from "./known_rows.ts";
import { SqlTexts } from "./sql_texts.ts";
import { JOB_RUN, type RecordedRequest, type RecordedStatement } from "./statement_record.ts";

export interface Audit {
  readonly requests: number;
  readonly statements: number;
  /** Number of different statement texts. */
  readonly texts: number;
  /** Number of uses of tables by the reason that allows them. */
  readonly clearances: ReadonlyMap<Clearance, number>;
  /** Scoped tables that no statement used: the recording proves nothing about them. */
  readonly unused: readonly string[];
  /** Findings, one for each fault of each statement text. */
  readonly findings: readonly Finding[];
}

/** Returns the tables of full-text indexes by name. */
function searchIndexesOf(model: ProjectModel): AuditedSchema["indexes"] {
  return new Map(
    model.tables.filter((table) =>
      model.resources.some((one) => one.table === table.name && one.search !== undefined)
    ).flatMap((table) => {
      const { index, keys, tenants } = searchTablesOf(table.sqlName);
      const search = model.resources.find((one) => one.table === table.name)?.search;
      const indexed = {
        table: sqlKey(table),
        tenants: search?.tenant === undefined
          ? null
          : { table: tenants.toLowerCase(), column: search.tenant },
      };
      return [index, keys, tenants].map((name) => [name.toLowerCase(), indexed] as const);
    }),
  );
}

/**
 * Audits the requests. `serviceTables`: SQL names of tables that no definition describes. `texts`: cache of parsed statements;
 * a caller who audits parts of a recording passes the same one each time.
 */
export function auditRequests(
  requests: Iterable<RecordedRequest>,
  model: ProjectModel,
  serviceTables: readonly string[],
  texts = new SqlTexts(),
): Audit {
  const schema: AuditedSchema = {
    texts,
    rules: auditedRules(model),
    // A row is removed by its resource, or by a handler if the table has no soft deletion.
    removable: new Set(
      model.tables.filter((table) =>
        !table.softDelete ||
        model.resources.some((one) => one.table === table.name && one.delete?.mode === "hard")
      ).map(sqlKey),
    ),
    tables: new Map(model.tables.map((table) => [sqlKey(table), table])),
    service: new Set(serviceTables.map((name) => name.toLowerCase())),
    indexes: searchIndexesOf(model),
  };
  const tally = new Tally(model);
  const find = routeFinder(model);
  const matchOf = ({ method, path }: RecordedRequest) =>
    find({ method, path: path.split("?")[0] ?? "" });
  const liftOf = (request: RecordedRequest): Lift => {
    const { method, path, body } = request;
    if (method === JOB_RUN) return jobLift(path, model);
    const match = matchOf(request);
    // Changesets and tool calls name their actions in the body. Several that differ count as none.
    const unsafe = match.kind !== "ruled"
      ? actionNamed(model, body)?.unsafe ?? null
      : match.route.subject.kind === "action"
      ? match.route.subject.operation.action.unsafe
      : null;
    return { lifted: unsafe ? liftedBy(unsafe) : [], lift: "unsafe" };
  };
  for (const request of requests) {
    const tenantOf = tenantOfRequest(request, model, matchOf);
    const caller = tenantOf ? callerNamed(request) : request.caller;
    const lift = liftOf(request);
    const restorable = restorableBy(request, model, find);
    const asked: KnownRows["asked"] = new Map();
    // Statements of a transaction and others may alternate.
    const knownIn = new Map<number, Pick<KnownRows, "met" | "stamps">>();
    tally.addRequest();
    for (const statement of request.statements) {
      const { transaction } = statement;
      // Outside of a transaction, a fact about a row may no longer be true.
      const known = (transaction !== null && knownIn.get(transaction)) ||
        { met: new Map(), stamps: [] };
      if (transaction !== null) knownIn.set(transaction, known);
      const scope = { schema, caller, ...lift, restorable, tenantOf, known: { ...known, asked } };
      const audited = auditStatement(statement, scope);
      tally.addStatement(statement.sql, audited);
      for (const fault of audited.faults) tally.addFinding(fault, request, statement);
    }
  }
  return tally.audit();
}

function sqlKey({ sqlName }: TableModel): string {
  return sqlName.toLowerCase();
}

class Tally {
  #requests = 0;
  #statements = 0;
  readonly #texts = new Set<string>();
  readonly #used = new Set<string>();
  readonly #clearances = new Map<Clearance, number>();
  readonly #findings = new Map<string, Finding>();

  constructor(readonly model: ProjectModel) {}

  addRequest(): void {
    this.#requests += 1;
  }

  addStatement(sql: string, { clearances, used }: StatementAudit): void {
    this.#statements += 1;
    this.#texts.add(sql);
    for (const table of used) this.#used.add(table);
    for (const one of clearances) {
      this.#clearances.set(one, (this.#clearances.get(one) ?? 0) + 1);
    }
  }

  addFinding(
    fault: Fault,
    { statements: _, ...request }: RecordedRequest,
    statement: RecordedStatement,
  ): void {
    const key = JSON.stringify([faultName(fault), statement.sql]);
    if (!this.#findings.has(key)) this.#findings.set(key, { fault, request, statement });
  }

  audit(): Audit {
    return {
      requests: this.#requests,
      statements: this.#statements,
      texts: this.#texts.size,
      clearances: this.#clearances,
      unused: this.model.tables.filter(({ sqlName }) => !this.#used.has(sqlName.toLowerCase()))
        .map(({ name }) => name),
      findings: [...this.#findings.values()],
    };
  }
}

function faultName(fault: Fault): readonly string[] {
  switch (fault.kind) {
    case "predicateMissing":
      return [fault.kind, fault.table.name, firewallColumns([fault.predicate]).join()];
    case "scopeNotWritten":
      return [fault.kind, fault.table.name, fault.column];
    case "replacesRows":
      return [fault.kind, fault.table.name];
    case "chainNotBound":
      return [fault.kind];
    case "unknownTable":
      return [fault.kind, fault.name];
    case "unreadable":
      return [fault.kind];
  }
}

const NOTHING_RESTORABLE: Restorable = { tables: new Set(), asksParents: false };

/**
 * Returns the tables that the request may restore (contract 3.1): for a list with `deleted`, its own table; for a restoration,
 * every table that the deletion may have included.
 */
function restorableBy(
  { method, path, caller }: RecordedRequest,
  { tables }: ProjectModel,
  find: ReturnType<typeof routeFinder>,
): Restorable {
  const [route = "", query = ""] = path.split("?");
  const match = find({ method, path: route });
  if (match.kind !== "ruled" || match.route.subject.kind === "action") return NOTHING_RESTORABLE;
  const { table, subject: { operation: { kind, resource } } } = match.route;
  // The history of a deleted record stays.
  const isHistory = kind === "history" && table !== null;
  if (isHistory) return { tables: new Set([sqlKey(table)]), asksParents: false };
  const rule = resource.delete?.restore?.access;
  if (!rule || table === null || !mayAdmit(rule, caller)) return NOTHING_RESTORABLE;
  if (kind === "restore") return { tables: new Set(tables.map(sqlKey)), asksParents: true };
  const asks = (kind === "list" || kind === "view") && new URLSearchParams(query).has("deleted");
  return asks ? { tables: new Set([sqlKey(table)]), asksParents: false } : NOTHING_RESTORABLE;
}

/** Returns how the action of a request or tool call finds its tenant; null: the caller determines it. */
function tenantOfRequest(
  request: RecordedRequest,
  model: ProjectModel,
  matchOf: (request: RecordedRequest) => ReturnType<ReturnType<typeof routeFinder>>,
): TenantOfModel | null {
  if (request.method === JOB_RUN) return null;
  const match = matchOf(request);
  const action = match.kind !== "ruled"
    ? actionNamed(model, request.body)
    : match.route.subject.kind === "action"
    ? match.route.subject.operation.action
    : null;
  return action?.tenantOf ?? null;
}

/** Returns the anonymous caller, in the organization that the statements found; in none before that. */
function callerNamed({ statements }: RecordedRequest): Principal {
  const found = statements.find(({ beyondScope }) => beyondScope === "namedTenant");
  const [id] = found?.rows[0] ?? [];
  return { ...ANONYMOUS, organizationId: typeof id === "string" ? id : null };
}

type Lift = Pick<AuditScope, "lifted" | "lift">;

/**
 * Returns what a job's run may skip: it sees the rows of every owner in its tenant (definitions 6), and what its `unsafe` adds.
 */
function jobLift(name: string, { authored: { jobs = [] } }: ProjectModel): Lift {
  const unsafe = jobs.find((job) => job.name === name)?.unsafe;
  return unsafe
    ? { lifted: [...liftedBy(unsafe), "rule"], lift: "unsafe" }
    : { lifted: ["owner", "rule"], lift: "job" };
}

function actionNamed(model: ProjectModel, body: unknown): ActionModel | null {
  const params = memberOf(body, "params");
  const names = [memberOf(params, "name"), memberOf(memberOf(params, "arguments"), "action")];
  const called = [
    ...names.flatMap((action) => typeof action === "string" ? [{ action, resource: null }] : []),
    ...calledInChangeset(body),
  ];
  const named = model.actions.filter((action) =>
    called.some((one) => {
      // A tool is named after its action in snake case, with or without its resource's name before it (docs/mcp.md).
      if (one.resource !== null) {
        return one.resource === action.resource && one.action === action.name;
      }
      const tool = action.segment.replaceAll("-", "_");
      return one.action === action.key || one.action === tool || one.action.endsWith(`_${tool}`);
    })
  );
  const [only] = named;
  return named.length === 1 ? only ?? null : null;
}

interface CalledAction {
  /** Name of the tool, key of the action, or name of the action. */
  readonly action: string;
  /** Resource of the action; null if the action's name is enough. */
  readonly resource: string | null;
}

function calledInChangeset(body: unknown): readonly CalledAction[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations)) return [];
  return operations.flatMap((operation: unknown) => {
    const [action, resource] = [memberOf(operation, "action"), memberOf(operation, "resource")];
    return typeof action === "string" && typeof resource === "string" ? [{ action, resource }] : [];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
