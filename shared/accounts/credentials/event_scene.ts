/** Makes scenes of events with the clock that issues tokens. */
import type { ProjectModel } from "../../model/mod.ts";
import type { MemberWatch, TokenWatch, Transaction } from "../../runtime/ports.ts";
import type { EventScene, RecordEvent } from "./credential.ts";
import { eventProject } from "./event_project.ts";

/** Makes a scene. Without `watch` the database's clock counts, and no process is told of ended tokens. */
export function eventScene(
  { project, watch, members }: {
    readonly project: ProjectModel;
    readonly watch?: () => TokenWatch | null;
    readonly members?: () => MemberWatch | null;
  },
  record?: RecordEvent,
): (transaction: Transaction) => EventScene {
  const asked = eventProject(project);
  return (transaction) => {
    const watching = watch?.() ?? null;
    return {
      project: asked,
      transaction,
      record,
      members: members?.() ?? null,
      actor: null,
      seconds: watching && Math.floor(watching.clock.now() / 1000),
      onTokensEnding: () => watching?.onEnding(),
    };
  };
}
