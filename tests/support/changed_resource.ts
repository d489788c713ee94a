/** A project with one resource changed. */
import type { ProjectModel } from "../../shared/model/project.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";

export function changedResource(
  project: ProjectModel,
  name: string,
  change: (resource: ResourceModel) => ResourceModel,
): ProjectModel {
  return {
    ...project,
    resources: project.resources.map((one) => one.name === name ? change(one) : one),
  };
}
