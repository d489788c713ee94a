/**
 * Somebody who sees everything writes what the caller may not see, differently in both databases: so that its traces in
 * frames, events and later answers are looked for (contract 6.1, 6.3). Then what a unique column cannot keep to itself (7.1).
 */
import type { Principal } from "../../shared/model/mod.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { isUnique, nameOf, twinValues } from "../rows/mod.ts";
import { actionVariations } from "./actions.ts";
import { newBody, writableBy, type Writing } from "./bodies.ts";
import { ask, castOf, cellsOf, hiddenIn, isLetIn, type Planning, secretsOf } from "./planning.ts";
import type { Corpus, Question } from "./question.ts";

/** The same plan for a colleague with every role, whom nothing is hidden from. */
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

/** The same writes for both databases, but for the hidden values in them. */
export function othersWrites(
  planning: Planning,
): readonly (readonly [one: Question, other: Question])[] {
  return writesIn(planning).map(({ kind, route, writing }) => {
    const { table } = writing;
    const { others: [id] } = castOf(table, planning);
    const number = writing.nextNumber();
    const made = newBody(kind, { ...writing, nextNumber: () => number });
    const hidden = hiddenIn(table.name, planning).filter(({ column }) =>
      Object.hasOwn(made, column.name) && (kind === "update" || column.references === null)
    );
    const send = (which: 0 | 1) => {
      // Questions by a hidden value go on looking for values that the row has already.
      const values = hidden.map((one) => {
        const cells = kind === "update" ? cellsOf(one, id, planning) : twinValues(one, number);
        return [one.column.name, cells?.[which] ?? null] as const;
      });
      const body = { ...made, ...Object.fromEntries(values) };
      return ask(kind, route, kind === "update" ? { id, body } : { body }, planning);
    };
    return [send(0), send(1)];
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

/** Every action in earnest. */
export function* othersActions(planning: Planning): Corpus {
  for (const route of ruledRoutesOf(planning.model)) {
    const { subject } = route;
    if (subject.kind === "action") yield* actionVariations(route, subject.operation, planning);
  }
}

interface TakenValue {
  readonly question: Question;
  /** `<table>.<column>`. */
  readonly column: string;
}

/** Creates with a value that only one of the databases has. */
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
