/**
 * Probes of lists and views (contract 4.1 rule 4, 4.2, 4.3): which rows and columns they show, which are masked, and which
 * parameters they accept.
 */
import { decimalText, storageOf } from "../../shared/column_types/mod.ts";
import type { AggregationModel, GroupKeyModel, JsonValue } from "../../shared/model/mod.ts";
import { columnPredicates, type ResourceModel, type TableModel } from "../../shared/model/mod.ts";
import { columnNamed, embeddablesOf, recordColumns, totalsOf } from "../../shared/surface/mod.ts";
import type { Relation } from "../../shared/surface/mod.ts";
import * as judge from "../../shared/oracle/judge.ts";
import { SEARCH_TERM, type SeedRow } from "../rows/mod.ts";
import {
  ANY,
  type ExpectedField,
  type ExpectedRecord,
  expectedRecord,
  mayRead,
} from "./expected_record.ts";
import { nearest } from "./nearest.ts";
import * as plan from "./planning.ts";
import { foretoldWheres, mayQuery } from "./wheres.ts";
import { type Expectation, type ExpectedIncluded, type ExpectedPage, refused } from "./question.ts";
import { Reading } from "./reading.ts";

/** Returns probes of the content and the refusals of a list or a view. */
export function listReads(reading: Reading): readonly plan.Attempt[] {
  const { route } = reading;
  const refusal = plan.gateRefusal(route, reading);
  const because = plan.becauseOf(plan.explainRow(route, undefined, reading), route);
  const ask = (purpose: string, query: plan.Query, expected: Expectation): plan.Attempt => ({
    purpose,
    request: { method: "GET", path: plan.addressOf(route, { query }, reading) },
    expected,
    because,
  });
  if (refusal !== null) {
    return [
      ask("read", {}, refused(refusal)),
      // A caller without access is refused before the query is judged.
      ask("ask what nobody may ask", { "no such column": "1" }, refused(refusal)),
    ];
  }
  const visible = visibleRows(reading);
  if (reading.operation.view?.groupBy) {
    return [ask("read with a total", { limit: "100", total: "true" }, groups(visible, reading))];
  }
  return [
    ask("read with a total", { limit: "100", total: "true" }, page(visible, reading)),
    ...byIds(reading).map(([purpose, query]) => ask(purpose, query, page(visible, reading))),
    ...maskQuestions(reading).map(([purpose, query, expected]) => ask(purpose, query, expected)),
    ...searches(visible, reading).map(([query, rows]) =>
      ask("search", query, page(rows, { ...reading, aggregates: false }))
    ),
    ...foretoldWheres(visible, reading).map(({ purpose, where, found }) =>
      ask(
        purpose,
        { limit: "100", where: JSON.stringify(where) },
        typeof found === "string" ? refused(found) : page(found, { ...reading, aggregates: false }),
      )
    ),
    ...narrowed(visible, reading).map(([query, expected]) => ask("narrow", query, expected)),
    ...deletedReads(reading).map(([query, expected]) =>
      ask("ask for deleted rows", query, expected)
    ),
    ...nearest(visible, reading, page).map(([query, expected]) =>
      ask("ask for what is near", query, expected)
    ),
    ...inclusions(visible, reading).map(([query, expected]) => ask("include", query, expected)),
    ...unscoped(reading),
  ];
}

/** Returns the rows that the firewall and the rule show. */
function visibleRows({ route: { access }, ...reading }: Reading): readonly SeedRow[] {
  const caller = plan.actingCaller(reading);
  return plan.rowsOf(reading.table, reading).filter(({ values }) =>
    plan.isVisible(reading.table, values, reading) &&
    judge.admits(access, caller, values, reading.standing.world)
  );
}

/** Returns reads of deleted rows. Callers who may restore them see them as the list shows others (contract 3.1). */
function deletedReads(
  reading: Reading,
): readonly (readonly [plan.Query, Expectation])[] {
  const { route, operation: { resource }, table } = reading;
  const rule = resource.delete?.restore?.access;
  if (!rule) return [];
  const caller = plan.actingCaller(reading);
  // A deleted row may depend on other deleted rows, which count as living here.
  const world = judge.withDeleted(reading.standing.world);
  const isDeleted = ({ values }: SeedRow) => (values["deletedAt"] ?? null) !== null;
  const within = plan.rowsOf(table, reading).filter(({ values }) =>
    judge.hidingPredicates(table, caller, values, world).every(({ kind }) =>
      kind === "notDeleted"
    ) && judge.admits(route.access, caller, values, world)
  );
  const restorable = within.filter((row) =>
    isDeleted(row) && judge.admits(rule, caller, row.values, world)
  );
  return (["only", "with"] as const).map((deleted) => {
    const rows = deleted === "only"
      ? restorable
      : within.filter((row) => !isDeleted(row) || restorable.includes(row));
    return [
      { limit: "100", deleted },
      judge.mayAdmit(rule, caller) ? page(rows, reading) : refused("ACCESS_ROLE_REQUIRED"),
    ];
  });
}

export function columnsOf({ operation, table }: Reading): readonly string[] {
  return operation.view?.fields ?? recordColumns(table).map(({ name }) => name);
}

function page(
  rows: readonly SeedRow[],
  of: Reading & {
    readonly columns?: readonly string[];
    readonly included?: ExpectedIncluded;
    readonly aggregates?: boolean;
  },
): ExpectedPage {
  const { operation, table } = of;
  const columns = of.columns ?? columnsOf(of);
  const looking = plan.lookingOf(of);
  const records = rows.map(({ id, values }) =>
    [String(id), expectedRecord(operation.resource, values, columns, looking)] as const
  );
  return {
    kind: "page",
    view: operation.view?.name ?? null,
    records: new Map(records),
    key: columns.includes(table.primaryKey) ? table.primaryKey : null,
    isExact: isEnclosed(of),
    aggregations: of.aggregates === false ? null : aggregationsOf(rows, of),
    included: of.included ?? null,
  };
}

/** Returns the expected groups. Their columns are visible, so none of them may be masked for the caller (definitions 4.5). */
function groups(rows: readonly SeedRow[], of: Reading): Expectation {
  const { operation: { view, resource } } = of;
  const keys = view?.groupBy ?? [];
  const isPlain = ({ column }: { readonly column: string | null }) =>
    column === null || mayShow(column, resource, of);
  if (!keys.every(isPlain) || !(view?.aggregations ?? []).every(isPlain)) {
    return refused("VALIDATION_INVALID_INPUT");
  }
  const made = Map.groupBy(
    rows,
    ({ values }) =>
      JSON.stringify(keys.map(({ column, by }) => periodOf(values[column] ?? null, by))),
  );
  const records = [...made].map(([text, members]): readonly [string, ExpectedRecord] => {
    const values: JsonValue[] = JSON.parse(text);
    const known = aggregationsOf(members, of) ?? {};
    return [
      text,
      new Map<string, ExpectedField>([
        ...keys.map(({ column }, at) => [column, plainField(values[at])] as const),
        ...(view?.aggregations ?? []).map(({ name }) =>
          [
            name,
            Object.hasOwn(known, name) ? plainField(known[name]) : ANY,
          ] as const
        ),
      ]),
    ];
  });
  return {
    kind: "page",
    view: view?.name ?? null,
    records: new Map(records),
    key: null,
    isExact: isEnclosed(of),
    aggregations: null,
    included: null,
  };
}

function plainField(value: JsonValue = null): ExpectedField {
  return { kind: "value", value };
}

/** True when the caller sees a masked column unmasked in every row. */
function mayShow(column: string, { masks }: ResourceModel, { world }: Reading): boolean {
  const mask = Object.hasOwn(masks, column) ? masks[column] : undefined;
  return mask === undefined || mask.showRoles.some((role) => judge.isHeld(role, world.caller));
}

/** Returns the period of a value by ISO 8601: a week belongs to the year of its Thursday. */
function periodOf(value: JsonValue, by: GroupKeyModel["by"]): JsonValue {
  if (value === null || by === null) return value;
  const day = String(value).slice(0, 10);
  if (by !== "week") return by === "day" ? day : day.slice(0, 7);
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  const week = 1 + Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000));
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** True when the caller sees only their own scope, so that all rows of an answer are known. */
function isEnclosed({ table, ...planning }: Reading): boolean {
  return columnPredicates(judge.bindingPredicates(table, plan.actingCaller(planning))).some((
    { operator, operand },
  ) => operator === "equals" && operand.kind === "context");
}

/** Returns reads that name every row by id: they must not show a row that the list hides. */
function byIds(reading: Reading): readonly (readonly [string, plan.Query])[] {
  const { operation: { view }, table } = reading;
  const filterable = view?.filterable ?? columnsOf(reading);
  const ids = plan.rowsOf(table, reading).map(({ id }) => id);
  if (!filterable.includes(table.primaryKey) || ids.length === 0 || ids.length > 100) return [];
  return [["ask for every row by its id", {
    limit: "100",
    [`${table.primaryKey}.in`]: ids.join(","),
  }]];
}

/** Returns questions by masked columns: nobody may filter or sort by a column that they cannot see (contract 4.3 rule 1). */
function maskQuestions(
  reading: Reading,
): readonly (readonly [string, plan.Query, Expectation])[] {
  const { operation: { resource, view }, table } = reading;
  const filterable = view?.filterable ?? columnsOf(reading);
  const sortable = view?.sortable ?? columnsOf(reading);
  return Object.entries(resource.masks).flatMap(([name, mask]) => {
    const [home] = plan.rowsOf(table, reading);
    const value = home?.values[name] ?? null;
    if (mayQuery(mask, reading) || value === null || typeof value === "object") return [];
    const refusal = refused("VALIDATION_INVALID_INPUT");
    return [
      ...(filterable.includes(name)
        ? [[`filter by the masked "${name}"`, { [name]: String(value) }, refusal] as const]
        : []),
      ...(sortable.includes(name)
        ? [[`sort by the masked "${name}"`, { sort: name }, refusal] as const]
        : []),
    ];
  });
}

/** Searches for a text that every row contains, and for one that only a masked column contains. */
function searches(
  visible: readonly SeedRow[],
  reading: Reading,
): readonly (readonly [plan.Query, readonly SeedRow[]])[] {
  const { operation: { resource, view }, table } = reading;
  const shown = columnsOf(reading);
  const isIndexed = (name: string) =>
    resource.search?.columns.some(({ column }) => column === name) ?? true;
  const columns = table.columns.filter(({ name, searchable }) =>
    isIndexed(name) &&
    (view?.searchable
      ? view.searchable.includes(name)
      : (searchable || resource.search !== undefined) && shown.includes(name))
  );
  if (columns.length === 0) return [];
  const asked = columns.filter(({ name }) => {
    const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
    return mask === undefined || mayQuery(mask, reading);
  });
  const textsOf = ({ values }: SeedRow) => asked.map(({ name }) => String(values[name] ?? ""));
  const matching = (term: string) =>
    visible.filter((row) =>
      resource.search
        ? hasWords(textsOf(row), term)
        : textsOf(row).some((text) => text.toLowerCase().includes(term.toLowerCase()))
    );
  // Texts that the index never contains are searched for too.
  const known = resource.search
    ? table.columns.filter(({ name, searchable }) => searchable && shown.includes(name))
    : columns;
  const secrets = known.filter((column) => !asked.includes(column)).flatMap(({ name }) => {
    const value = visible[0]?.values[name];
    return typeof value === "string" ? [value] : [];
  });
  return [SEARCH_TERM, ...secrets].map((term) => [{ limit: "100", search: term }, matching(term)]);
}

/**
 * True when every word of the term is the beginning of a word in one of these texts; a word with punctuation inside it counts
 * as several adjacent words.
 */
function hasWords(texts: readonly string[], term: string): boolean {
  const wordsOf = (text: string) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
  const words = term.split(/\s+/u).map(wordsOf).filter(({ length }) => length > 0);
  return words.length > 0 &&
    words.every((parts) =>
      texts.map(wordsOf).some((own) =>
        own.some((_, from) =>
          parts.every((part, at) =>
            at === parts.length - 1 ? own[from + at]?.startsWith(part) : own[from + at] === part
          )
        )
      )
    );
}

/** Checks that `fields` cannot show what a mask or a view hides. */
function narrowed(
  visible: readonly SeedRow[],
  reading: Reading,
): readonly (readonly [plan.Query, ExpectedPage])[] {
  const shown = columnsOf(reading);
  const masked = shown.filter((name) => Object.hasOwn(reading.operation.resource.masks, name));
  const key = reading.table.primaryKey;
  const columns = shown.filter((name) => name === key || masked.includes(name));
  if (columns.length === 0 || columns.length === shown.length) return [];
  const query = { limit: "100", fields: columns.join(",") };
  return [[query, page(visible, { ...reading, columns })]];
}

/** Returns embeds. Each is a read of its target (contract 4.3 rule 4). */
function inclusions(
  visible: readonly SeedRow[],
  reading: Reading,
): readonly (readonly [plan.Query, Expectation])[] {
  const { operation, model, world: { caller } } = reading;
  return embeddablesOf(operation, model).flatMap((relation) => {
    const { name, direction, column, resource } = relation;
    const query = { limit: "100", include: name };
    const holder = direction === "parent" ? operation.resource : resource;
    if (Object.hasOwn(holder.masks, column.name)) return [];
    if (resource.read && !judge.mayAdmit(resource.read.access, caller)) {
      return [[query, refused("ACCESS_ROLE_REQUIRED")] as const];
    }
    const included = includedOf(visible, relation, reading);
    return [[query, page(visible, { ...reading, included })] as const];
  });
}

export function includedOf(
  visible: readonly SeedRow[],
  { name, direction, column, resource, table }: Relation,
  reading: Reading,
): ExpectedIncluded {
  const looking = plan.lookingOf(reading);
  const isParent = direction === "parent";
  const columns = recordColumns(table).map(({ name }) => name);
  const records = plan.rowsOf(table, reading).filter((row) => mayRead(resource, row, looking))
    .flatMap((row): readonly (readonly [string, ExpectedRecord])[] => {
      const id = isParent ? row.id : row.values[column.name];
      const isAsked = visible.some((one) =>
        isParent ? one.values[column.name] === id : one.id === id
      );
      const key = isParent ? String(id) : `${id}/${row.id}`;
      return isAsked ? [[key, expectedRecord(resource, row.values, columns, looking)]] : [];
    });
  return new Map([[name, new Map(records)]]);
}

/** Checks that a PUBLIC list of a tenant's rows requires the tenant's name, and shows that tenant's rows only. */
function unscoped(reading: Reading): readonly plan.Attempt[] {
  const { route, world, table } = reading;
  const isNamed = plan.namedOrganization(reading) !== null && route.isOpen;
  const isTenant = columnPredicates(judge.bindingPredicates(table, world.caller)).some((
    { operand },
  ) => operand.kind === "context" && operand.key === "activeOrgId");
  if (!isNamed || !isTenant) return [];
  const elsewhere = {
    ...reading,
    world: { ...world, home: world.foreign, foreign: world.home },
  };
  return [{
    purpose: "read without naming an organization",
    request: { method: "GET", path: route.path },
    expected: refused("ORG_REQUIRED"),
    because: "a tenant's rows are asked for in an organization",
  }, {
    purpose: "read in another organization",
    request: {
      method: "GET",
      path: plan.addressOf(route, { query: { limit: "100", total: "true" } }, elsewhere),
    },
    expected: page(visibleRows(elsewhere), elsewhere),
    because: "only the named organization's rows are shown",
  }];
}

/** Returns the expected aggregations; null: none is declared, or one depends on rows that are not known here. */
function aggregationsOf(
  rows: readonly SeedRow[],
  { operation, ...reading }: Reading,
): Readonly<Record<string, JsonValue>> | null {
  const { view, resource } = operation;
  if (!view || view.aggregations.length === 0 || !isEnclosed({ ...reading, operation })) {
    return null;
  }
  const known = view.aggregations.filter(({ fn, column }) =>
    (fn === "count" || fn === "sum") && !(column !== null &&
      (Object.hasOwn(resource.masks, column) || totalsOf(reading.table).includes(column)))
  );
  return Object.fromEntries(
    known.map((one) => [one.name, aggregated(one, rows, reading.table)]),
  );
}

function aggregated(
  { fn, column }: AggregationModel,
  rows: readonly SeedRow[],
  table: TableModel,
): JsonValue {
  if (column === null) return rows.length;
  const values = rows.map(({ values }) => values[column] ?? null).filter((value) => value !== null);
  if (fn === "count") return values.length;
  const { decimal } = storageOf(columnNamed(column, table).type);
  if (decimal !== null && values.length > 0) {
    // Each value is written with all its decimal places.
    const digits = values.map((value) => BigInt(String(value).replace(".", "")));
    return decimalText(digits.reduce((sum, one) => sum + one, 0n), decimal.scale);
  }
  return values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Number(value), 0);
}
