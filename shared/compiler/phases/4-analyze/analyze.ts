/**
 * Runs phase 4, which turns located values into the project's model. It settles every default, role and reference, checks every
 * rule of definitions 1–5, and reports all independent mistakes in one run.
 */
import { TEST_EVENT } from "../../../contract/mod.ts";
import { mapInSteps, type Steps } from "../../../lib/steps.ts";
import type { ActionModel, AuthoredModel, DelegatedPrincipalModel } from "../../../model/mod.ts";
import type { ProjectModel, ResourceModel, SignalModel, TableModel } from "../../../model/mod.ts";
import type { WebhooksModel } from "../../../model/mod.ts";
import { authoredModules, reservedSqlNames } from "../../../model/mod.ts";
import { madeVectorOf, takenNames, waitingIndexName } from "../../../surface/mod.ts";
import type { Report } from "../../diagnostics/report.ts";
import { TARGETS } from "../../platforms/mod.ts";
import type { Definitions } from "../values.ts";
import { findActions } from "./actions/find_actions.ts";
import { checkPackages } from "./actions/reachable.ts";
import { readActions } from "./actions/read_actions.ts";
import { providerNames, readAuthored } from "./authored/read_authored.ts";
import { readRecordHooks } from "./authored/record_hooks.ts";
import { checkAuthored } from "./authored/check_authored.ts";
import { brandingOf, logoPath } from "./authored/branding.ts";
import { withTemplates } from "./authored/email_templates.ts";
import { readSeed } from "./authored/seed.ts";
import { readSignals } from "./authored/signals.ts";
import type { Analysis } from "./tables/analysis.ts";
import { readConfig } from "./config/config.ts";
import { principalsOf } from "./config/principals.ts";
import { namedRoles } from "./settle/named_roles.ts";
import { NO_OVERRIDES, resolveRateLimits } from "./read/rate_limits.ts";
import { warnOfLoneRoles } from "./read/roles.ts";
import { withDerived } from "./resources/derived.ts";
import { readDisplayColumns, readResource } from "./resources/resource.ts";
import { RULES } from "./rules/mod.ts";
import { type NamedIndex, requireApartFromIndexes } from "./rules/reserved_names.ts";
import type { Subject } from "./rules/rule.ts";
import { referencesWithinHome } from "./rules/tenancy.ts";
import { declareTables } from "./tables/declare.ts";
import { readFirewall } from "./tables/firewall.ts";
import { withInheritedScope } from "./tables/inherited_scope.ts";
import { type BuiltInTable, withBuiltIn } from "./tables/built_in.ts";
import type { RelationGraph } from "./tables/relation_graph.ts";
import { relationsOf } from "./tables/relations.ts";
import { settledFirewall } from "./tables/settled_firewall.ts";
import { ruleIndexes } from "./settle/rule_indexes.ts";
import { withSearchTenant } from "./settle/search_tenant.ts";
import { tableModel } from "./settle/table.ts";

interface AnalyzeOptions {
  /** JSON Schemas of actions' inputs that came with the request, by action; null if the request cannot bring any. */
  readonly inputSchemas: Readonly<Record<string, unknown>> | null;
  /** True if the compiler uses the schemas that it can read, although some came with the request. */
  readonly readsSchemas?: boolean;
  /** Tables of the service, for projects that use them. */
  readonly builtIn?: readonly BuiltInTable[];
}

/** Returns the model, or null when there is an error; warnings do not stop it. */
export function* analyze(
  definitions: Definitions,
  report: Report,
  { inputSchemas, readsSchemas = false, builtIn = [] }: AnalyzeOptions = {
    inputSchemas: null,
  },
): Steps<ProjectModel | null> {
  const unread = unreadFiles(definitions, report);
  const unbound = readAuthored({ definitions, report });
  const webhookProviders = providerNames(unbound, definitions);
  const config = readConfig(definitions.config, report, {
    webhookProviders,
    variables: Object.values(TARGETS).flatMap((platform) => platform.variables(definitions)),
  });
  const own = yield* declareTables(definitions.tables, config, report);
  const written = withBuiltIn(own, builtIn, { config, report });
  const declared = { ...written, tables: withDerived(written.tables, report) };
  const brokenFiles = new Set([...unread, ...declared.brokenFiles]);
  const hooks = readRecordHooks({ definitions, report, tables: declared.tables, brokenFiles });
  const { isWhole: knowsHooks, ...recordHooks } = hooks;
  const authored: AuthoredModel = { ...unbound, ...recordHooks };
  const actions = findActions(definitions.actions, { ...declared, brokenFiles }, report);
  const analysis: Analysis = {
    report,
    config,
    actions,
    tables: declared.tables,
    brokenFiles,
    recordHooks: authored.recordHooks ?? [],
    knowsHooks,
    knowsActions: !unread.some((file) => /\/actions(\.ts$|\/)/.test(file)),
  };
  const displayColumns = readDisplayColumns(analysis);
  const { graph, subjects } = yield* readSubjects(analysis, displayColumns);
  yield* mapInSteps(RULES, (rule) => rule({ analysis, subjects }));
  const resources = subjects.flatMap(({ resource }): ResourceModel[] => resource ? [resource] : []);
  const signals = readSignals({ definitions, report, config });
  const models = yield* readActions(actions, {
    analysis,
    graph,
    definitions,
    resources,
    signals,
    inputSchemas,
    readsSchemas: readsSchemas || inputSchemas === null,
  });
  referencesWithinHome(models, subjects, analysis);
  warnOfLoneRoles(config.hierarchy, report);
  const principals = principalsOf(config.principals, definitions, report);
  const modules = authoredModules(authored, principals.map(({ module }) => module));
  checkAuthored({ model: authored, modules, project: config.model, definitions, report });
  checkPackages(models, { analysis, definitions, modules });
  const model = yield* projectModel(analysis, {
    subjects,
    displayColumns,
    actions: models,
    principals,
    authored,
    signals: signals ?? [],
    face: faceOf(config, definitions, report),
  });
  const seed = readSeed(definitions, model, report);
  if (report.hasErrors) return null;
  TARGETS[model.runtime].check(model, definitions, report);
  if (report.hasErrors) return null;
  return seed === null ? model : { ...model, seed };
}

/** Reads the firewall, the relations and the resource of each table. */
function* readSubjects(
  analysis: Analysis,
  displayColumns: ReturnType<typeof readDisplayColumns>,
): Steps<{ readonly graph: RelationGraph; readonly subjects: readonly Subject[] }> {
  const read = yield* mapInSteps(
    analysis.tables,
    (table) => readFirewall(withInheritedScope(table, analysis), analysis),
  );
  const firewalls = new Map(read.map((firewall) => [firewall.table.name, firewall]));
  const related = read.map(({ table }) => ({ table, relations: relationsOf(table, analysis) }));
  const graph = { analysis, tables: new Map(related.map((one) => [one.table.name, one])) };
  const subjects = yield* mapInSteps(analysis.tables, (table): Subject => {
    const relations = graph.tables.get(table.name)?.relations ?? new Map();
    const firewall = settledFirewall(requireNamed(firewalls, table.name), { firewalls, graph });
    const { options } = firewall.table;
    const scope = options && { analysis, table: firewall.table, options, relations, graph };
    return {
      firewall,
      relations,
      resource: scope && readResource(scope, displayColumns),
    };
  });
  return { graph, subjects };
}

/** Returns the settings of the project's messages, pages and events. */
function faceOf(
  { model: { webhooks, email }, branding }: Analysis["config"],
  definitions: Definitions,
  report: Report,
): Pick<ProjectModel, "email" | "branding" | "webhooks"> {
  return {
    webhooks: withEmitted(webhooks, definitions),
    email: withTemplates(email, { definitions, report, logo: logoPath(branding) }),
    ...brandingOf(branding, definitions, report),
  };
}

function requireNamed<Of>(all: ReadonlyMap<string, Of>, name: string): Of {
  const one = all.get(name);
  if (one === undefined) throw new Error(`Table "${name}" was not read`);
  return one;
}

/** Adds the events that code emits by name and the test event of an endpoint, if the project lists its events. */
function withEmitted(webhooks: WebhooksModel, { code }: Definitions): WebhooksModel {
  if (webhooks.endpointEvents === undefined) return webhooks;
  const emitted = [...code.values()].flatMap((file) => file.emitted);
  const known = new Set([...webhooks.events, ...emitted, TEST_EVENT]);
  return { ...webhooks, endpointEvents: [...known].toSorted() };
}

/** Returns the files that earlier phases reported, except table files. References to them cause no further reports. */
function unreadFiles({ tables }: Definitions, { filesWithErrors }: Report): readonly string[] {
  const known = new Set(tables.map((table) => table.file));
  return filesWithErrors.filter((file) => !known.has(file));
}

interface Finished {
  readonly subjects: readonly Subject[];
  readonly displayColumns: ReadonlyMap<string, string | null>;
  readonly actions: readonly ActionModel[];
  readonly principals: readonly DelegatedPrincipalModel[];
  readonly authored: AuthoredModel;
  readonly signals: readonly SignalModel[];
  /** Settings of the project's messages and pages. */
  readonly face: Pick<ProjectModel, "email" | "branding" | "webhooks">;
}

/** Returns the names of the full-text indexes' parts, which no other index may have. */
function searchNames(subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap(({ resource, firewall: { table } }) =>
    resource?.search ? takenNames(table.sqlName) : []
  );
}

function indexesOf(table: TableModel): readonly NamedIndex[] {
  const vector = madeVectorOf(table);
  const names = table.indexes.map(({ name }) => name);
  return [...names, ...vector ? [waitingIndexName(vector)] : []]
    .map((name) => ({ name, table: table.name }));
}

function* projectModel(
  analysis: Analysis,
  { subjects, displayColumns, actions, principals, authored, signals, face }: Finished,
): Steps<ProjectModel> {
  const { config } = analysis;
  const indexNames = new Set([...reservedSqlNames().indexes, ...searchNames(subjects)]);
  const indexes = ruleIndexes(subjects, actions);
  const tables = yield* mapInSteps(subjects, ({ firewall, relations, resource }) => {
    const displayColumn = displayColumns.get(firewall.table.name) ?? null;
    const ruled = indexes.get(firewall.table.name) ?? [];
    return tableModel({
      analysis,
      firewall,
      relations,
      resource,
      displayColumn,
      indexNames,
      ruled,
    });
  });
  requireApartFromIndexes(tables.flatMap(indexesOf), analysis);
  const resources = subjects.flatMap(({ resource, firewall }): ResourceModel[] =>
    resource ? [withSearchTenant(resource, firewall.predicates)] : []
  );
  const { roleHierarchy, declaredRoles = [] } = config.model.auth;
  const listed = [...roleHierarchy, ...declaredRoles];
  return {
    ...config.model,
    auth: {
      ...config.model.auth,
      roles: namedRoles({ listed, tables, resources, actions, signals }),
      principals,
    },
    realtime: { ...config.model.realtime, signals },
    ...face,
    rateLimits: resolveRateLimits(config.rateLimits, NO_OVERRIDES),
    tables,
    resources,
    actions,
    authored,
  };
}
