/**
 * Another caller, who sees everything, writes values that are hidden from the tested caller and differ in the two databases.
 * Frames, events and later answers are then compared for traces of them (contract 6.1, 6.3). Finally unique columns are tried,
 * which must reveal that a value is taken (7.1).
 */
import type { JsonValue, Principal, TableModel } from "../../shared/model/mod.ts";
import { isShown } from "../../shared/oracle/judge.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { columnsAsked, tableNamed } from "../../shared/surface/mod.ts";
import { isUnique, nameOf, type SeedValues, twinValues } from "../rows/mod.ts";
import { actionVariations } from "./actions.ts";
import { newBody, rowMade, writableBy, type Writing } from "./bodies.ts";
import { ask, castOf, cellsOf, hiddenIn, isLetIn, type Planning } from "./planning.ts";
import { rowsOf, secretsOf, unseenCells } from "./planning.ts";
import type { Corpus, Question } from "./question.ts";

/** Returns the same plan for a colleague with every role, from whom nothing is hidden. */
export function asOtherWriter(planning: Planning): Planning {
  const { model, world } = planning;
  const { home, foreign } = world;
  const caller: Principal = {
    credential: "token",
    userId: foreign.userId,
    organizationId: model.multiTenant ? home.organizationId : null,
    teamId: home.teamId,
    roles: model.auth.roles,
    userRole: null,
  };
  return { ...planning, world: { ...world, caller } };
}

/** Returns the same writes for both databases, except for the hidden values in them. */
export function othersWrites(
  planning: Planning,
  viewer: Principal,
): readonly (readonly [one: Question, other: Question])[] {
  return writesIn(planning).flatMap(({ kind, route, writing }) => [
    writeOf({ kind, route, writing }, planning, viewer),
    ...(kind === "update"
      ? unseenWrites(route, writing.table, planning)
      : maskedCreations({ kind, route, writing }, planning, viewer)),
  ]);
}

/** Returns writes of the rows that are hidden from the caller. They write the present values, because a write sends frames. */
function unseenWrites(
  route: RuledRoute,
  table: TableModel,
  planning: Planning,
): readonly (readonly [one: Question, other: Question])[] {
  return unseenCells(table, planning).map(({ id, column, values: [one = null, other = null] }) => {
    const send = (value: JsonValue) =>
      ask("update", route, { id, body: { [column]: value } }, planning);
    return [send(one), send(other)];
  });
}

function writeOf(
  { kind, route, writing }: Write,
  planning: Planning,
  viewer: Principal,
  key: SeedValues = {},
): readonly [one: Question, other: Question] {
  const { table, standing } = writing;
  const { others: [id] } = castOf(table, planning);
  const number = writing.nextNumber();
  const made = { ...newBody(kind, { ...writing, nextNumber: () => number }), ...key };
  const row = kind === "create"
    ? rowMade(made, null, writing)
    : { ...rowsOf(table, planning).find((one) => one.id === id)?.values, ...made };
  const hidden = hiddenIn(table.name, planning).filter(({ column }) =>
    Object.hasOwn(made, column.name) && (kind === "update" || column.references === null)
  );
  const send = (which: 0 | 1) => {
    // Questions by a hidden value go on looking for values that the row has already.
    const values = hidden.map((one) => {
      const cells = kind === "update" ? cellsOf(one, id, planning) : twinValues(one, number);
      // Values must be equal in both databases where the caller sees them.
      const isSeen = isShown(one.mask, viewer, { row, table }, standing.world);
      return [one.column.name, cells?.[isSeen ? 0 : which] ?? null] as const;
    });
    const body = { ...made, ...Object.fromEntries(values) };
    return ask(kind, route, kind === "update" ? { id, body } : { body }, planning);
  };
  return [send(0), send(1)];
}

/** Returns creates of records whose masks no relation lifts for the caller, because frames report these records too. */
function maskedCreations(
  write: Write,
  planning: Planning,
  viewer: Principal,
): readonly (readonly [one: Question, other: Question])[] {
  const { writing } = write;
  const { table, resource, model, standing } = writing;
  return hiddenIn(table.name, planning).flatMap(({ mask }) => {
    const { showRows } = mask;
    if (showRows === undefined) return [];
    const keys = writableBy("create", resource, table).flatMap(({ name, references }) =>
      references === null || !columnsAsked(showRows).includes(name)
        ? []
        : rowsOf(tableNamed(references.table, model), planning).map(({ values }) => ({
          [name]: values[references.column] ?? null,
        }))
    );
    const key = keys.find((one) => {
      const row = rowMade({ ...newBody("create", writing), ...one }, null, writing);
      return !isShown(mask, viewer, { row, table }, standing.world);
    });
    return key === undefined ? [] : [writeOf(write, planning, viewer, key)];
  });
}

interface Write {
  readonly kind: "create" | "update";
  readonly route: RuledRoute;
  readonly writing: Writing;
}

function writesIn(planning: Planning): readonly Write[] {
  return ruledRoutesOf(planning.model).flatMap((route): Write[] => {
    const { subject, table } = route;
    if (subject.kind !== "operation" || table === null) return [];
    const { kind, resource } = subject.operation;
    if (kind !== "create" && kind !== "update") return [];
    return [{ kind, route, writing: { ...planning, resource, table } }];
  });
}

/** Runs every action for real. */
export function* othersActions(planning: Planning): Corpus {
  for (const route of ruledRoutesOf(planning.model)) {
    const { subject } = route;
    if (subject.kind === "action") yield* actionVariations(route, subject.operation, planning);
  }
}

interface TakenValue {
  readonly question: Question;
  /** Column as `<table>.<column>`. */
  readonly column: string;
}

/** Returns creates with a value that only one of the databases has. */
export function takenValues(planning: Planning): readonly TakenValue[] {
  return writesIn(planning).flatMap(({ kind, route, writing }): readonly TakenValue[] => {
    const { table, resource } = writing;
    if (kind !== "create" || !isLetIn(route, planning)) return [];
    const writable = writableBy("create", resource, table).map(({ name }) => name);
    const { untouched } = castOf(table, planning);
    return hiddenIn(table.name, planning).flatMap((one): TakenValue[] => {
      const { name } = one.column;
      const [taken] = secretsOf(one, untouched, planning);
      if (taken === undefined || !isUnique(name, table) || !writable.includes(name)) return [];
      const body = { ...newBody("create", writing), [name]: taken };
      return [{ question: ask("conflict", route, { body }, planning), column: nameOf(one) }];
    });
  });
}
