/** Who gains or loses which field: to see, to see plain, to write, to ask by (contract 4.3, definitions 4.3, 4.4). */
import type { Principal } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { ResourceModel } from "../../model/resource.ts";
import { tableOf } from "../../surface/tables.ts";
import { writableColumns } from "../../surface/writable.ts";
import { isHeld, mayAdmit } from "../judge.ts";
import { principalClassesOf } from "../principal_class.ts";
import { type Change, grouped } from "./change.ts";

/** What a caller may do with a field, from nothing to everything. */
const RIGHTS = ["see", "see plain", "ask by", "set on create", "set on update"] as const;
type Right = typeof RIGHTS[number];

const HOME = { userId: "user", organizationId: "organization", teamId: "team" };

export function fieldChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const classes = new Map(
    [...principalClassesOf(before, HOME), ...principalClassesOf(after, HOME)]
      .map(({ name, caller }) => [name, caller]),
  );
  return grouped(
    [...classes].flatMap(([principal, caller]) =>
      differences(rightsOf(before, caller), rightsOf(after, caller)).map((
        { kind, field, right },
      ) => ({
        kind,
        subject: field,
        principals: [principal],
        text: kind === "gain" ? `may now ${right} it` : `may no longer ${right} it`,
      }))
    ),
  );
}

interface Difference {
  readonly kind: "gain" | "loss";
  readonly field: string;
  readonly right: string;
}

function differences(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): readonly Difference[] {
  const told = (kind: Difference["kind"]) => (entry: string): Difference => {
    const [field = "", right = ""] = entry.split(SEPARATOR);
    return { kind, field, right };
  };
  return [
    ...[...after].filter((one) => !before.has(one)).map(told("gain")),
    ...[...before].filter((one) => !after.has(one)).map(told("loss")),
  ];
}

const SEPARATOR = " · ";

/** `tickets.subject · see`. */
function rightsOf(model: ProjectModel, caller: Principal): ReadonlySet<string> {
  return new Set(
    model.resources.flatMap((resource) =>
      tableOf(resource, model).columns.flatMap(({ name }) =>
        RIGHTS.filter((right) => hasRight(right, { name, resource, model, caller }))
          .map((right) => `${resource.name}.${name}${SEPARATOR}${right}`)
      )
    ),
  );
}

interface Field {
  readonly name: string;
  readonly resource: ResourceModel;
  readonly model: ProjectModel;
  readonly caller: Principal;
}

function hasRight(right: Right, field: Field): boolean {
  const { name, resource, model, caller } = field;
  const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
  const sees = canSee(field);
  switch (right) {
    case "see":
      return sees;
    case "see plain":
      return sees && (mask === undefined || mask.showRoles.some((role) => isHeld(role, caller)));
    case "ask by":
      return sees && (mask === undefined || mask.queryRoles.some((role) => isHeld(role, caller)));
    case "set on create":
      return canWrite(
        "create",
        field,
        writableColumns("create", resource, tableOf(resource, model)),
      );
    case "set on update":
      return canWrite(
        "update",
        field,
        writableColumns("update", resource, tableOf(resource, model)),
      );
  }
}

/** The whole record, or a view that has the field. */
function canSee({ name, resource: { read }, caller }: Field): boolean {
  if (read === null) return false;
  return mayAdmit(read.access, caller) ||
    read.views.some((view) => view.fields.includes(name) && mayAdmit(view.access, caller));
}

function canWrite(
  verb: "create" | "update",
  { name, resource, caller }: Field,
  writable: readonly { readonly name: string }[],
): boolean {
  const write = resource[verb];
  return write !== null && mayAdmit(write.access, caller) &&
    writable.some((column) => column.name === name);
}
