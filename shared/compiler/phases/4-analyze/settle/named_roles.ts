/**
 * Collects every project role that the configuration lists or a rule of the model names. A member of an organization may have
 * these roles (definitions 4.2).
 */
import { PLATFORM_ROLES, PSEUDO_ROLES } from "../../../../contract/mod.ts";
import { type Access, type ActionModel, isDelegatedRole } from "../../../../model/mod.ts";
import { type ResourceModel, type SignalModel, type TableModel } from "../../../../model/mod.ts";
import { rolesIn, rolesNamedBy } from "../../../../surface/mod.ts";

/** Returns the roles sorted, each once. */
export function namedRoles(
  { listed, tables, resources, actions, signals }: {
    /** Roles that the configuration lists. */
    readonly listed: readonly string[];
    readonly tables: readonly TableModel[];
    readonly resources: readonly ResourceModel[];
    readonly actions: readonly ActionModel[];
    readonly signals: readonly SignalModel[];
  },
): readonly string[] {
  const own: ReadonlySet<string> = new Set([...PSEUDO_ROLES, ...PLATFORM_ROLES]);
  const named = [
    ...listed,
    ...resources.flatMap((resource) => accessRules(resource).flatMap(rolesNamedBy)),
    ...signals.flatMap(({ roles }) => roles ?? []),
    ...actions.flatMap(({ access }) => rolesNamedBy(access)),
    ...resources.flatMap(({ masks }) =>
      Object.values(masks).flatMap((mask) => [
        ...mask.showRoles,
        ...mask.queryRoles,
        ...(mask.showRows ? rolesIn(mask.showRows) : []),
      ])
    ),
    ...tables.flatMap(({ firewall }) =>
      firewall.flatMap((predicate) => [
        ...predicate.roles,
        ...predicate.exceptRoles,
        ...(predicate.kind === "rule" ? rolesIn(predicate.predicate) : []),
      ])
    ),
  ];
  return [...new Set(named)].filter((role) => !own.has(role) && !isDelegatedRole(role)).sort();
}

/** Returns every access rule of a resource. */
export function accessRules(resource: ResourceModel): readonly Access[] {
  const { read } = resource;
  const writes = [resource.create, resource.update, resource.delete, resource.upsert];
  const further = [resource.delete?.restore?.access, resource.audit?.access];
  return [
    ...further.flatMap((access) => access ? [access] : []),
    ...(read ? [read.access, ...read.views.map((view) => view.access)] : []),
    ...writes.flatMap((write) =>
      write ? [write.access, ...(write.batch ? [write.batch.access] : [])] : []
    ),
  ];
}
