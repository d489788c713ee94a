/** Visibility of a column for a caller: plain, masked, or plain on their own rows only (definitions 4.4). */
import type { MaskType } from "../model/mask.ts";
import type { Principal } from "../model/principal.ts";
import type { ResourceModel } from "../model/resource.ts";
import { holdsRole } from "./admission.ts";

export type Sight =
  | { readonly kind: "plain" }
  | { readonly kind: "masked"; readonly type: MaskType }
  | { readonly kind: "ownerOnly"; readonly type: MaskType };

const PLAIN: Sight = { kind: "plain" };

/** The caller's sight of this column of the resource. */
export function sightOf(resource: ResourceModel, column: string, principal: Principal): Sight {
  const rule = Object.hasOwn(resource.masks, column) ? resource.masks[column] : undefined;
  if (!rule || rule.showRoles.some((role) => holdsRole(principal, role))) return PLAIN;
  if (rule.showOwner && principal.userId !== null) {
    return { kind: "ownerOnly", type: rule.type };
  }
  return { kind: "masked", type: rule.type };
}
