/**
 * Checks a live API against its definitions: plants rows on both sides of every predicate, calls every route as every class of
 * callers, compares each answer with the one that the evaluator expects, and removes the planted rows (contract 4.7).
 */
import { conformanceEntries, type ConformanceEntry } from "../../shared/oracle/manifest.ts";
import { type GatedRoute, gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import type { ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { isHookedDelete, setByHooks } from "../questions/hooked_writes.ts";
import { accountProbes } from "../questions/accounts.ts";
import { unaskedReason } from "../questions/gates.ts";
import { planClass, probesOf } from "../questions/plan.ts";
import { valuesLeft } from "../questions/restorations.ts";
import { GOES_ALONG, type Planning } from "../questions/planning.ts";
import type { Probe } from "../questions/question.ts";
import { compareRoutes } from "./route_sets.ts";
import type { DefinitionPlaces } from "../../shared/oracle/places.ts";
import {
  conditionPlace,
  placeText,
  predicatePlace,
  routeRulePlace,
} from "../../shared/oracle/places.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import type { RowId, SeedDatabase, SeedOrganizations, SeedPlaces } from "../rows/mod.ts";
import type { SeedRandomness, SeedRow, World } from "../rows/mod.ts";
import { firstFreeIds, insertSeeds, removeSeeds, rowIds, storedSeed } from "../rows/mod.ts";
import { accountWorldsOf, StandingRows, worldsOf } from "../rows/mod.ts";
import { ActionTrials } from "./action_trials.ts";
import { unscopedTables } from "../../shared/oracle/unscoped_tables.ts";
import { differences, memberOf } from "./compare_answer.ts";
import type { ConformanceReport, Mismatch, UntestedRoute } from "./report.ts";
import { type ConformanceApi, createAsk, type SentRequest } from "./ask.ts";

export interface ConformancePorts {
  readonly api: ConformanceApi;
  readonly database: SeedDatabase;
  /** Databases of organizations, if each has its own; absent: one database has all rows. */
  readonly organizations?: SeedOrganizations;
  readonly clock: { now(): number };
  readonly random: SeedRandomness;
  /** Returns headers that authenticate a caller of this class for a while, or a text that says why it cannot. */
  credentialsOf(world: World): Promise<Readonly<Record<string, string>> | string>;
}

export interface ConformanceOptions {
  /** Entries of the manifest; default: those that the model implies. */
  readonly entries?: readonly ConformanceEntry[];
  /** Places of the definitions' parts. */
  readonly places?: DefinitionPlaces;
  /** False if the API has no account routes. */
  readonly hasAccounts?: boolean;
  /** Plan of the run; default: a plan made for this run. */
  readonly plan?: RunPlan;
  /** True ends the run with the first mismatch. */
  readonly stopsEarly?: boolean;
  readonly onProgress?: (text: string) => void;
}

export async function runConformance(
  model: ProjectModel,
  ports: ConformancePorts,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const run = new Run(model, ports, options);
  return await run.report();
}

/** Rows that a run plants, and requests that it sends. */
export interface RunPlan {
  /** Unique id of the run. */
  readonly id: string;
  readonly classes: readonly ClassPlan[];
}

interface ClassPlan extends Planning {
  readonly probes: readonly Probe[];
  /** True when its callers test account routes only. */
  readonly isOfAccounts: boolean;
}

export function planRun(
  model: ProjectModel,
  { random, now, free }: {
    readonly random: SeedRandomness;
    /** Milliseconds since the epoch. */
    readonly now: number;
    /** First free integer of each table that numbers its rows. */
    readonly free: ReadonlyMap<string, number>;
  },
): RunPlan {
  const id = random.bytes(6).toHex();
  const newId = rowIds(random, (table) => free.get(table.name) ?? 1);
  let number = 0;
  const options = { newId, now, nextNumber: () => number += 1, hidden: null };
  const classes = worldsOf(model, id).map((world) => {
    const planning = planClass(model, world, options);
    return { ...planning, probes: probesOf(planning), isOfAccounts: false };
  });
  const accounts = accountWorldsOf(model, id).map((world) => {
    const standing = new StandingRows(model, []);
    const planning = { ...options, model, world, standing, ...NO_ROWS };
    const probes = gatedRoutesOf(model).flatMap((route) => accountProbes(route, planning));
    return { ...planning, probes, isOfAccounts: true };
  });
  return { id, classes: [...classes, ...accounts] };
}

const NO_ROWS = { rows: [], reserved: new Map(), parents: new Map(), exploring: null } as const;

interface Party {
  readonly plan: ClassPlan;
  /** Headers that authenticate the caller; a text says why no caller of the class can authenticate. */
  headers: Readonly<Record<string, string>> | string;
  /** Time at which the headers were created. */
  since: number;
}

/**
 * Time after which credentials are renewed. Tokens last longer than this, but a run over a slow connection may outlast a token.
 */
const CREDENTIALS_KEPT_MS = 120_000;

/** Collects the results of one run while it runs. */
class Run {
  readonly #mismatches: Mismatch[] = [];
  readonly #created: { readonly table: TableModel; readonly id: RowId }[] = [];
  readonly #asked = new Set<string>();
  readonly #trials = new ActionTrials();
  readonly #untried: UntestedRoute[] = [];
  readonly #entries: ReadonlyMap<string, ConformanceEntry>;
  readonly #gated: ReadonlyMap<string, GatedRoute>;
  readonly #routes: ReadonlyMap<string, RuledRoute>;
  readonly #ask: (
    asked: SentRequest,
  ) => Promise<{ status: number; body: unknown; headers: Headers }>;
  #requests = 0;

  constructor(
    readonly model: ProjectModel,
    readonly ports: ConformancePorts,
    readonly options: ConformanceOptions,
  ) {
    const entries = options.entries ?? conformanceEntries(model);
    this.#entries = new Map(entries.map((one) => [entryKey(one.operationId, one.principal), one]));
    this.#routes = new Map(ruledRoutesOf(model).map((route) => [route.operationId, route]));
    this.#gated = new Map(gatedRoutesOf(model).map((route) => [route.operationId, route]));
    const ask = createAsk(ports.api);
    this.#ask = (asked) => {
      this.#requests += 1;
      return ask(asked);
    };
  }

  async report(): Promise<ConformanceReport> {
    const { model, ports } = this;
    const plan = this.options.plan ??
      planRun(model, {
        ...ports,
        now: ports.clock.now(),
        free: await firstFreeIds(ports.database, model),
      });
    const parties = await this.#parties(plan);
    const rows = parties.flatMap(({ plan }) => plan.rows);
    const places = {
      ...ports,
      homes: plan.classes.filter(({ isOfAccounts }) => !isOfAccounts)
        .flatMap(({ world: { home, foreign } }) => [home, foreign]),
    };
    try {
      await insertSeeds(places, rows);
      await this.#routeSets(parties);
      for (const party of parties) {
        if (this.#isOver) break;
        this.options.onProgress?.(`Asking as ${party.plan.world.name}`);
        await this.#askAll(party);
      }
      if (!this.#isOver) this.#tried(parties);
      if (!this.#isOver) await this.#untouched(parties, places);
    } finally {
      await removeSeeds(places, model, plan.id, this.#created);
    }
    return this.#result(parties);
  }

  #isAbsent(operationId: string): boolean {
    return this.options.hasAccounts === false &&
      this.#gated.get(operationId)?.ofAccounts === true;
  }

  get #isOver(): boolean {
    return this.options.stopsEarly === true && this.#mismatches.length > 0;
  }

  async #parties({ classes }: RunPlan): Promise<readonly Party[]> {
    const { clock, credentialsOf } = this.ports;
    const parties: Party[] = [];
    const { hasAccounts = true } = this.options;
    for (const plan of classes.filter(({ isOfAccounts }) => hasAccounts || !isOfAccounts)) {
      parties.push({ plan, headers: await credentialsOf(plan.world), since: clock.now() });
    }
    return parties;
  }

  async #askAll(party: Party): Promise<void> {
    for (const probe of party.plan.probes) {
      if (this.#isOver) return;
      if (this.#isAbsent(probe.operationId)) continue;
      const headers = await this.#headersOf(party);
      if (typeof headers === "string") return;
      await this.#askOne(probe, headers);
    }
  }

  async #headersOf(party: Party): Promise<Party["headers"]> {
    const { clock, credentialsOf } = this.ports;
    if (clock.now() - party.since > CREDENTIALS_KEPT_MS) {
      party.headers = await credentialsOf(party.plan.world);
      party.since = clock.now();
    }
    return party.headers;
  }

  async #askOne(probe: Probe, headers: Readonly<Record<string, string>>): Promise<void> {
    const answer = await this.#ask({ ...probe, headers });
    this.#asked.add(entryKey(probe.operationId, probe.principal));
    this.#trials.note(probe, answer);
    this.#remember(probe, answer.body);
    const found = differences(probe.expected, answer);
    if (found.length === 0) return;
    this.#mismatches.push({
      route: probe.operationId,
      request: `${probe.method} ${probe.path}`,
      principal: probe.principal,
      purpose: probe.purpose,
      differences: found,
      rule: probe.because.text,
      place: this.#placeOf(probe) ?? this.#placeOfRule(probe.operationId),
    });
  }

  #placeOfRule(operationId: string): string | null {
    const entry = [...this.#entries.values()].find((one) => one.operationId === operationId);
    const { file = null, line = null } = entry?.rule ?? {};
    return file === null ? null : `${file}:${line}`;
  }

  /** Returns the place of the condition that decides; null if the route's rule decides. */
  #placeOf({ operationId, because: { failed, layer } }: Probe): string | null {
    const { places } = this.options;
    const route = this.#routes.get(operationId);
    if (places === undefined || failed === null || route === undefined) return null;
    const predicate = route.table?.firewall.find((one) =>
      one === failed || (one.kind === "rule" && one.predicate === failed)
    );
    if (layer === "firewall" && route.table && predicate) {
      return placeText(predicatePlace(route.table, predicate, places));
    }
    return placeText(
      "column" in failed
        ? conditionPlace(route, failed.column, places)
        : routeRulePlace(route, places),
    );
  }

  /** Remembers the records that a request created, expected or not, so that they are removed at the end. */
  #remember({ creates }: Probe, body: unknown): void {
    if (creates === null) return;
    const success = memberOf(body, "success");
    for (const record of Array.isArray(success) ? success : [body]) {
      const id = memberOf(record, creates.primaryKey);
      if (typeof id === "string" || typeof id === "number") {
        this.#created.push({ table: creates, id });
      }
    }
  }

  async #routeSets(parties: readonly Party[]): Promise<void> {
    const sysadmin = parties.find(({ plan }) => plan.world.name === "sysadmin")?.headers;
    const headers = typeof sysadmin === "object" ? sysadmin : {};
    const found = compareRoutes(
      this.model,
      [...this.#entries.values()],
      this.options.hasAccounts !== false,
      (method, path) => this.#ask({ method, path, headers }),
    );
    for await (const { route, differences } of found) {
      this.#mismatches.push({
        route,
        request: null,
        principal: null,
        purpose: "compare the routes",
        differences,
        rule: "the same routes everywhere",
        place: null,
      });
    }
  }

  #tried(parties: readonly Party[]): void {
    const planned = parties.flatMap(({ plan }) => plan.probes);
    const { mismatches, uncovered } = this.#trials.findings(this.model, planned);
    this.#untried.push(...uncovered);
    for (const one of mismatches) {
      this.#mismatches.push({ ...one, place: this.#placeOfRule(one.route) });
    }
  }

  /** Verifies that refused requests changed nothing, and that deleted rows are gone. */
  async #untouched(parties: readonly Party[], places: SeedPlaces): Promise<void> {
    for (const { plan, headers } of parties) {
      if (typeof headers === "string") continue;
      for (const row of plan.rows) {
        const found = await this.#traceOf(row, plan, places);
        if (found === null) continue;
        this.#mismatches.push({
          route: row.table.name,
          request: null,
          principal: plan.world.name,
          purpose: `look at the row "${row.variant}" afterwards`,
          differences: [found],
          rule: "a refused request changes nothing",
          place: `${row.table.origin.file}:${row.table.origin.line}`,
        });
      }
    }
  }

  async #traceOf(row: SeedRow, plan: ClassPlan, places: SeedPlaces): Promise<string | null> {
    if (plan.reserved.get(row) === GOES_ALONG) return null;
    const stored = await storedSeed(places, row);
    if (plan.reserved.has(row)) {
      // The author's code may have refused the deletion.
      if (isHookedDelete(row.table, this.model)) return null;
      const mode = this.model.resources.find(({ table }) => table === row.table.name)?.delete?.mode;
      if (mode === "hard") {
        return stored === null ? null : "the row was to be gone and is still there";
      }
      if (stored === null) return "the row was to be marked as deleted and is gone";
      return (stored["deletedAt"] ?? null) !== null
        ? null
        : "the row was to be marked as deleted and is not";
    }
    if (stored === null) return "the row is gone";
    // The database computes these columns from others, and from rows that other callers have made.
    const computed = row.table.columns.filter(({ manager }) => manager === "computed");
    const free = [
      "modifiedAt",
      "modifiedBy",
      row.table.revision,
      ...setByHooks(row.table, this.model),
      ...computed.map(({ name }) => name),
    ];
    const values = valuesLeft(row, plan);
    const changed = Object.keys(values).filter((name) =>
      !free.includes(name) && JSON.stringify(stored[name]) !== JSON.stringify(values[name])
    );
    return changed.length === 0 ? null : `the row has other values in ${changed.join(", ")}`;
  }

  #result(parties: readonly Party[]): ConformanceReport {
    const routes = [...this.#routes.values(), ...this.#gated.values()];
    const uncovered = routes.flatMap((route): UntestedRoute[] => {
      const isOfAccounts = this.#gated.get(route.operationId)?.account != null;
      const missing = parties.filter(({ plan }) =>
        (isOfAccounts || !plan.isOfAccounts) &&
        !this.#asked.has(entryKey(route.operationId, plan.world.name))
      );
      const reasons = Map.groupBy(missing, ({ headers }) => this.#reason(route, headers));
      return [...reasons].map(([reason, all]) => ({
        route: route.operationId,
        principals: all.map(({ plan }) => plan.world.name),
        reason,
      }));
    });
    return {
      routes: routes.length,
      principals: parties.length,
      requests: this.#requests,
      mismatches: this.#mismatches,
      unscoped: unscopedTables(this.model),
      uncovered: this.#isOver ? [] : [...uncovered, ...this.#untried],
    };
  }

  #reason(
    route: { readonly operationId: string },
    headers: Party["headers"],
  ): string {
    if (typeof headers === "string") return headers;
    if (this.#isAbsent(route.operationId)) {
      return "the API under test has no account routes";
    }
    const gated = this.#gated.get(route.operationId);
    return (gated && unaskedReason(gated)) ?? "no row is there to be asked about";
  }
}

function entryKey(operationId: string, principal: string): string {
  return `${operationId} ${principal}`;
}
