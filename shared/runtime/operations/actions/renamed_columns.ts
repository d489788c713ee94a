/**
 * Masks what a handler's queries took from masked columns under other names, while its result becomes JSON (contract 4.4 rule
 * 1, docs/decisions/actions.md). By where a value comes from and never by what it is, so that it answers no guess.
 */
import { REDACTED } from "../../../contract/sensitive_keys.ts";
import { maskValue } from "../../layers/7-masking/mask_value.ts";
import type { MaskType } from "../../../model/mask.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { sightOf } from "../../../surface/column_sight.ts";
import type { ReadOrigin, ReadOrigins } from "../../data/scoped_db/read_origins.ts";

/** As `JSON.stringify` calls it: `this` is the object that holds the member. */
export type Hide = (this: unknown, member: string, value: unknown) => unknown;

interface Viewer {
  readonly project: ProjectModel;
  readonly principal: Principal;
}

/**
 * Hides columns under other names. The row's owner is unknown here, so a column that only owners see is masked for
 * everybody.
 */
export function hidingRenamed(origins: ReadOrigins, viewer: Viewer): Hide {
  return function (member, value) {
    if (value === undefined) return value;
    const known = origins.of(this, member);
    if (known.some((one) => one.isRaw && maskOf(one, viewer) !== null)) return REDACTED;
    if (value === null) return value;
    for (const origin of known) {
      const type = maskOf(origin, viewer);
      if (type !== null && isShowing(origin, value)) return maskValue(type, textOf(value));
    }
    return value;
  };
}

function maskOf({ table, column }: ReadOrigin, { project, principal }: Viewer): MaskType | null {
  const resource = project.resources.find((one) => one.table === table.name);
  const sight = resource ? sightOf(resource, column, principal) : null;
  return sight === null || sight.kind === "plain" ? null : sight.type;
}

/** A number that was computed may be how many there are, which shows nothing of any. */
function isShowing({ isComputed }: ReadOrigin, value: unknown): boolean {
  return !isComputed || typeof value === "string";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
