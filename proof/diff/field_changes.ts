/**
 * Compares each caller's rights on fields: to see them, to see them unmasked, to write them, to filter by them (contract 4.3,
 * definitions 4.3, 4.4).
 */
import type { MaskRule, Principal, ProjectModel, ResourceModel } from "../../shared/model/mod.ts";
import { predicateText, tableOf, writableColumns } from "../../shared/surface/mod.ts";
import { isHeld, mayAdmit } from "../../shared/oracle/judge.ts";
import { modelFor } from "../../shared/oracle/narrowed.ts";
import { principalClassesOf } from "../../shared/oracle/principal_class.ts";
import { shownTerm } from "../../shared/oracle/rule_terms.ts";
import { type Term, TRUE } from "../../shared/oracle/terms.ts";
import { OWN, turnBetween, turnChanges } from "./admitted_rows.ts";
import { type Change, grouped } from "./change.ts";

/** Rights on a field, from least to most. */
const RIGHTS = [
  "see it",
  "see it unmasked in own records",
  "see it unmasked in some records",
  "see it unmasked",
  "filter and sort by it",
  "set it on create",
  "set it on update",
] as const;
type Right = typeof RIGHTS[number];

export function fieldChanges(before: ProjectModel, after: ProjectModel): readonly Change[] {
  const classes = new Map(
    [...principalClassesOf(before, OWN), ...principalClassesOf(after, OWN)]
      .map(({ name, caller }) => [name, caller]),
  );
  return grouped(
    [...classes].flatMap(([principal, caller]) => {
      const [old, now] = [fieldsOf(before, caller), fieldsOf(after, caller)];
      return [...new Set([...old.keys(), ...now.keys()])].flatMap((subject) =>
        fieldChange(old.get(subject) ?? NOTHING, now.get(subject) ?? NOTHING)
          .map((change) => ({ ...change, subject, principals: [principal] }))
      );
    }),
  );
}

/** Rights of one caller on one field. */
interface Sight {
  readonly rights: readonly Right[];
  /** Mask of the field; null: unmasked, or not visible. */
  readonly mask: string | null;
  /** Records in which the field is unmasked, and a text for them; null: not visible. */
  readonly shown: { readonly term: Term; readonly text: string } | null;
}

const NOTHING: Sight = { rights: [], mask: null, shown: null };

function fieldChange(old: Sight, now: Sight): readonly Pick<Change, "kind" | "text">[] {
  const gained = now.rights.filter((right) => !old.rights.includes(right));
  const lost = old.rights.filter((right) => !now.rights.includes(right));
  const isMaskedAnew = old.mask !== null && now.mask !== null && old.mask !== now.mask;
  return [
    ...(gained.length > 0 ? [{ kind: "gain" as const, text: `may now ${listed(gained)}` }] : []),
    ...(lost.length > 0 ? [{ kind: "loss" as const, text: `may no longer ${listed(lost)}` }] : []),
    // It is not known which mask shows more: the change is reported as a gain, so that somebody reviews it.
    ...(isMaskedAnew
      ? [{ kind: "gain" as const, text: `masked as ${old.mask} → masked as ${now.mask}` }]
      : []),
    ...(gained.length + lost.length === 0 ? shownChanges(old, now) : []),
  ];
}

/** Compares the records in which the same right applies. */
function shownChanges({ shown: old }: Sight, { shown: now }: Sight) {
  if (old === null || now === null) return [];
  const text = `unmasked where: ${old.text} → ${now.text}`;
  return turnChanges(turnBetween(old.term, now.term), text);
}

/** Lists rights in words. "See it unmasked" includes the caller's own records, so the narrower right is omitted beside it. */
function listed(rights: readonly Right[]): string {
  const told = rights.includes("see it unmasked")
    ? rights.filter((right) => !right.startsWith("see it unmasked in"))
    : rights;
  return told.join(", ");
}

/** Returns the fields by name, such as `tickets.subject`. */
function fieldsOf(whole: ProjectModel, caller: Principal): ReadonlyMap<string, Sight> {
  const model = modelFor(caller, whole);
  return new Map(
    model.resources.flatMap((resource) =>
      tableOf(resource, model).columns.map(({ name }) =>
        [`${resource.name}.${name}`, sightOf({ name, resource, model, caller })] as const
      )
    ),
  );
}

function sightOf(field: Field): Sight {
  const rights = RIGHTS.filter((right) => {
    const mask = maskOf(field);
    const holdsOne = (roles: readonly string[]) => roles.some((role) => isHeld(role, field.caller));
    switch (right) {
      case "see it":
        return canSee(field);
      case "see it unmasked in own records":
        return canSee(field) && (mask === undefined || mask.showOwner || holdsOne(mask.showRoles));
      case "see it unmasked in some records":
        return canSee(field) && (mask === undefined || holdsOne(mask.showRoles) ||
          (mask.showRows !== undefined && shownOf(field).kind !== "false"));
      case "see it unmasked":
        return canSee(field) && (mask === undefined || holdsOne(mask.showRoles));
      case "filter and sort by it":
        return canAsk(field) && (mask === undefined || holdsOne(mask.queryRoles));
      case "set it on create":
        return canWrite("create", field);
      case "set it on update":
        return canWrite("update", field);
    }
  });
  const isMasked = rights.includes("see it") && !rights.includes("see it unmasked");
  const mask = maskOf(field);
  return {
    rights,
    mask: isMasked ? mask?.type ?? null : null,
    shown: canSee(field) ? { term: shownOf(field), text: shownText(mask) } : null,
  };
}

function shownOf(field: Field): Term {
  const mask = maskOf(field);
  const { caller, resource, model } = field;
  return mask ? shownTerm(mask, tableOf(resource, model), { caller, withDeleted: false }) : TRUE;
}

function shownText(mask: MaskRule | undefined): string {
  if (mask === undefined) return "everywhere";
  const { showRows } = mask;
  return showRows ? predicateText(showRows) : mask.showOwner ? "own records" : "nowhere";
}

function maskOf({ name, resource }: Field): MaskRule | undefined {
  return Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
}

interface Field {
  readonly name: string;
  readonly resource: ResourceModel;
  readonly model: ProjectModel;
  readonly caller: Principal;
}

/** True when the caller can read the field: in the whole record, or in a view that contains it. */
function canSee({ name, resource: { read }, caller }: Field): boolean {
  if (read === null) return false;
  return mayAdmit(read.access, caller) ||
    read.views.some((view) => view.fields.includes(name) && mayAdmit(view.access, caller));
}

/** True when the caller can filter or sort by the field: in the plain list, or in a view that allows it. */
function canAsk({ name, resource: { read }, caller }: Field): boolean {
  if (read === null) return false;
  return mayAdmit(read.access, caller) ||
    read.views.some(({ access, fields, filterable, sortable }) =>
      [filterable ?? fields, sortable ?? fields].some((names) => names.includes(name)) &&
      mayAdmit(access, caller)
    );
}

function canWrite(verb: "create" | "update", { name, resource, model, caller }: Field): boolean {
  const write = resource[verb];
  return write !== null && mayAdmit(write.access, caller) &&
    writableColumns(verb, resource, tableOf(resource, model)).some((column) =>
      column.name === name
    );
}
