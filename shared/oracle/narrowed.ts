/**
 * Reads permissions a second time (contract 5.1): for a narrowed credential, the API admits no one to the operations that its
 * permissions leave out.
 */
import type { Access, Principal, ProjectModel, WriteModel } from "../model/mod.ts";

/** Returns the model that applies to this caller, which is unchanged for a credential that is not narrowed. */
export function modelFor({ grants }: Principal, model: ProjectModel): ProjectModel {
  if (grants === undefined) return model;
  const may = (resource: string, ...verbs: readonly string[]) =>
    verbs.every((verb) =>
      [...grants[resource] ?? [], ...grants["*"] ?? []].some((one) => one === verb)
    );
  return {
    ...model,
    resources: model.resources.map((resource) => {
      const { name, read } = resource;
      const write = <T extends WriteModel>(
        model: T | null,
        ...verbs: readonly string[]
      ): T | null =>
        model === null || may(name, ...verbs) ? model : {
          ...model,
          access: NOBODY,
          batch: model.batch && { ...model.batch, access: NOBODY },
        };
      return {
        ...resource,
        read: read === null || may(name, "read") ? read : {
          ...read,
          access: NOBODY,
          views: read.views.map((view) => ({ ...view, access: NOBODY })),
        },
        create: write(resource.create, "create"),
        update: write(resource.update, "update"),
        delete: write(resource.delete, "delete"),
        upsert: write(resource.upsert, "create", "update"),
      };
    }),
    actions: model.actions.map((action) => {
      // With `tenantOf` the caller is anonymous.
      if (
        action.verb !== null || action.tenantOf ||
        may(action.resource ?? action.feature, action.name)
      ) {
        return action;
      }
      return { ...action, access: NOBODY };
    }),
  };
}

const NOBODY: Access = { kind: "nobody" };
