/**
 * Finds actions that no caller can complete (contract 4.4, 4.7). Such an action is a fault of its definition or its handler,
 * even if each single answer matches the layers.
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
  /** Routes whose author's own code refused: another input may succeed. */
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

  /** Returns the findings. `planned`: every probe of every class. */
  findings(model: ProjectModel, planned: readonly Probe[]): Findings {
    const tried = new Set(planned.flatMap((one) => one.isTrial ? [one.operationId] : []));
    const actions = actionOperationsOf(model).filter(({ kind }) => kind !== "bulkAction");
    const actionIds = new Set(actions.map(({ id }) => id));
    const hopeless = [...new Set([...actionIds, ...hooksByOperation(model).keys()])].flatMap(
      (route) => {
        const trials = this.#failed.get(route) ?? [];
        // A planned trial that was not made belongs to a caller without a credential. A write that no probe has tried has no
        // prediction.
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
