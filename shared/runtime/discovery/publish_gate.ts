/** Roles that may fetch the API's description (contract 5.5). Refuses with `ACCESS_ROLE_REQUIRED`. */
import { PLATFORM_ROLES } from "../../contract/principals.ts";
import type { Principal } from "../../model/principal.ts";
import type { OpenApiModel, PublishGate } from "../../model/project.ts";
import { holdsRole } from "../../surface/admission.ts";
import type { Admitted } from "../gate.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";

export function requirePublished({ app, principal }: Admitted): void {
  const { publish } = app.project.openapi;
  const required = requiredBy(publish);
  if (required.some((role) => holdsRole(principal, role))) return;
  refuse("ACCESS_ROLE_REQUIRED", {
    details: { required: [...required], current: [...rolesHeldBy(principal)] },
  });
}

/** True when the gate lets this caller through. */
export function mayReadDescription({ publish }: OpenApiModel, principal: Principal): boolean {
  return requiredBy(publish).some((role) => holdsRole(principal, role));
}

function requiredBy(publish: PublishGate): readonly string[] {
  switch (publish) {
    case "public":
      return ["PUBLIC"];
    case "authenticated":
      return ["AUTHENTICATED"];
    case "admin":
      return PLATFORM_ROLES;
    case false:
      return [];
  }
}
