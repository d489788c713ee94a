/**
 * Finds actions that nobody brings to success (contract 4.4, 4.7). An action that nobody can is a fault of its definition or
 * of its handler, even where each single answer is what the layers must give.
 */
import type { ProjectModel } from "../../shared/model/mod.ts";
import { actionOperationsOf, hooksByOperation } from "../../shared/surface/mod.ts";
import type { Probe } from "../questions/question.ts";
import { type Answer, memberOf, shownAnswer } from "./compare_answer.ts";
import type { Mismatch, UntestedRoute } from "./report.ts";

interface Trial {
  readonly probe: Probe;
  readonly answer: Answer;
}

interface Findings {
  readonly mismatches: readonly Omit<Mismatch, "place">[];
  /** The author's own code has refused: another input may be what it takes. */
  readonly uncovered: readonly UntestedRoute[];
}

export class ActionTrials {
  readonly #succeeded = new Set<string>();
  readonly #failed = new Map<string, Trial[]>();

  note(probe: Probe, answer: Answer): void {
    if (!probe.isTrial) return;
    const { operationId } = probe;
    if (answer.status < 300) this.#succeeded.add(operationId);
    else this.#failed.set(operationId, [...this.#failed.get(operationId) ?? [], { probe, answer }]);
  }

  /** `planned`: every probe of every class. */
  findings(model: ProjectModel, planned: readonly Probe[]): Findings {
    const tried = new Set(planned.flatMap((one) => one.isTrial ? [one.operationId] : []));
    const actions = actionOperationsOf(model).filter(({ kind }) => kind !== "bulkAction");
    const actionIds = new Set(actions.map(({ id }) => id));
    const hopeless = [...new Set([...actionIds, ...hooksByOperation(model).keys()])].flatMap(
      (route) => {
        const trials = this.#failed.get(route) ?? [];
        // Trials that were planned and not made belong to callers who have no credential here.
        // Nothing was foretold of a write that no probe has tried.
        const isForetold = actionIds.has(route) || tried.has(route);
        const isUnknown = trials.length === 0 && (tried.has(route) || !isForetold);
        return isUnknown || this.#succeeded.has(route) ? [] : [{ route, trials }];
      },
    );
    const [authored, failed] = [true, false].map((wanted) =>
      // A refusal in the author's own words names no layer (contract 4.4 rule 6).
      hopeless.filter(({ trials }) =>
        trials.some(({ answer: { body } }) =>
          memberOf(body, "error") !== undefined && memberOf(body, "layer") === undefined
        ) === wanted
      )
    );
    return {
      mismatches: (failed ?? []).map(({ route, trials }) => {
        const last = trials.at(-1);
        return {
          route,
          request: last ? `${last.probe.method} ${last.probe.path}` : null,
          principal: last?.probe.principal ?? null,
          purpose: `bring the ${actionIds.has(route) ? "action" : "write"} to success`,
          differences: [
            last
              ? `nobody does; this was answered ${shownAnswer(last.answer)}`
              : "nobody is let in",
          ],
          rule: "each action, and each write with hooks, can be brought to success by somebody",
        };
      }),
      uncovered: (authored ?? []).map(({ route, trials }) => ({
        route,
        principals: [...new Set(trials.map(({ probe }) => probe.principal))],
        reason: "its own code refuses what was tried",
      })),
    };
  }
}
