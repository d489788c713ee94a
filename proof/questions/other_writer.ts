/**
 * Somebody who sees everything writes what the caller may not see, differently in both databases: so that its traces in
 * frames, events and later answers are looked for (contract 6.1, 6.3).
 */
import type { Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { actionOperationsOf } from "../../shared/surface/action_operations.ts";
import { operationsOf } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import type { Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { PEOPLE, ROWS } from "../rows/twin_rows.ts";
import { actionQuestions } from "./action_questions.ts";
import type { Scene } from "./scene.ts";
import { fullBody } from "./corpus_bodies.ts";

/** A colleague with every role. */
export function otherWriter(model: ProjectModel): Principal {
  return {
    credential: "token",
    userId: PEOPLE.colleague,
    organizationId: model.multiTenant ? PEOPLE.organization : null,
    teamId: PEOPLE.team,
    roles: model.auth.roles,
    userRole: null,
  };
}

const NEW_ROW = 10;

/** The same request for both databases, but for the hidden values in it. */
type TwinQuestions = readonly [one: Question, other: Question];

export function othersWrites(scene: Scene): readonly TwinQuestions[] {
  const [at = 1] = ROWS.others;
  return operationsOf(scene.model).flatMap((operation): readonly TwinQuestions[] => {
    const { kind, method, path, resource } = operation;
    const table = tableOf(resource, scene.model);
    switch (kind) {
      case "create": {
        const body = (which: 0 | 1) => fullBody(kind, resource, { scene, at: NEW_ROW, which });
        return [twins({ channel: kind, method, path }, body)];
      }
      case "update": {
        const body = (which: 0 | 1) => ({
          ...fullBody(kind, resource, { scene, at: at + 1, which: 0 }),
          ...hiddenOnly(fullBody(kind, resource, { scene, at, which }), scene, table.name),
        });
        const target = path.replace(":id", String(rowId(table, at)));
        return [twins({ channel: kind, method, path: target }, body)];
      }
      default:
        return [];
    }
  });
}

function twins(question: Question, body: (which: 0 | 1) => unknown): TwinQuestions {
  return [{ ...question, body: body(0) }, { ...question, body: body(1) }];
}

function hiddenOnly(body: Readonly<Record<string, unknown>>, { hidden }: Scene, table: string) {
  const names = hidden.filter((one) => one.table.name === table).map(({ column }) => column.name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** Every action, as somebody whom nothing is hidden from runs it. */
export function* othersActions(scene: Scene) {
  for (const operation of actionOperationsOf(scene.model)) yield* actionQuestions(scene, operation);
}
