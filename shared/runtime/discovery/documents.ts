/** Documents that are the same for every caller, behind the publish gate or public (contract 5.5). */
import { PLATFORM_ROLES } from "../../contract/mod.ts";
import type { OpenApiModel, Principal, PublishGate } from "../../model/mod.ts";
import { holdsRole } from "../../surface/mod.ts";
import type { Endpoint } from "../gate.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";

type Headers = Readonly<Record<string, string>>;

/** Answers whoever the publish gate lets in. Refuses with `ACCESS_ROLE_REQUIRED`. */
export function published(read: () => Response | Promise<Response>): Endpoint["handle"] {
  return async ({ app, principal }) => {
    const { openapi } = app.project;
    if (!mayReadDescription(openapi, principal)) {
      const required = [...requiredBy(openapi.publish)];
      refuse("ACCESS_ROLE_REQUIRED", {
        details: { required, current: [...rolesHeldBy(principal)] },
      });
    }
    return await read();
  };
}

/** The same text for whoever the publish gate lets in. */
export function publishedText(text: string, headers: Headers): Endpoint["handle"] {
  return published(() => new Response(text, { headers }));
}

const CACHE_SECONDS = 300;

/** The same text for everybody. */
export function publicText(text: string, headers: Headers): Endpoint["handle"] {
  const all = { "cache-control": `public, max-age=${CACHE_SECONDS}`, ...headers };
  return () => Promise.resolve(new Response(text, { headers: all }));
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
