/** Ends all credentials for an organization when it is deleted, by the API and by an operator's command alike. */
import type { ProjectModel } from "../../model/mod.ts";
import type { EndOrganization } from "../../runtime/ports.ts";
import { endCredentials } from "./end_credentials.ts";
import { eventScene } from "./event_scene.ts";

export function organizationEnding(project: ProjectModel): EndOrganization {
  const scene = eventScene({ project });
  return async (transaction, organizationId) => {
    await endCredentials(scene(transaction), "organizationDeletion", { organizationId });
  };
}
