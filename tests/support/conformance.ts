/** An API in this process, held against its definitions as `quickback conformance` does. */
import { runConformance } from "../../shared/conformance/run/run_conformance.ts";
import type { ConformanceOptions } from "../../shared/conformance/run/run_conformance.ts";
import type { ConformanceReport } from "../../shared/conformance/run/report.ts";
import type { World } from "../../shared/conformance/seed/world.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type ApiUnderTest, BASE_URL, type Claims, START, tokenFor } from "./api.ts";
import { seededRandom } from "./random.ts";

/** `model` says what is true; the API may say otherwise. `fetch` may stand before it. */
export async function conformanceOf(
  model: ProjectModel,
  api: ApiUnderTest,
  options: ConformanceOptions & {
    readonly fetch?: (request: Request) => Promise<Response>;
  } = {},
): Promise<ConformanceReport> {
  const random = seededRandom(11);
  const fetch = options.fetch ?? ((request: Request) => api.fetch(request, { clientIp: null }));
  return await runConformance(model, {
    api: { origin: BASE_URL, fetch, wait: () => Promise.reject(new Error("Nothing is limited")) },
    database: api.database,
    clock: { now: () => START },
    random: { bytes: (length) => Uint8Array.from({ length }, () => random.below(256)) },
    credentialsOf: async (world) => {
      const claims = claimsOf(world);
      if (typeof claims === "string") return claims;
      const host = { host: new URL(BASE_URL).host };
      return claims === null ? host : { ...host, authorization: `Bearer ${await tokenFor(claims)}` };
    },
  }, { hasAccounts: false, ...options });
}

function claimsOf({ caller }: World): Claims | null | string {
  const { credential, userId, organizationId, teamId, roles, userRole } = caller;
  switch (credential) {
    case "none":
      return null;
    case "token":
      return {
        sub: userId ?? "",
        roles,
        ...(organizationId === null ? {} : { orgId: organizationId }),
        ...(teamId === null ? {} : { teamId }),
        ...(userRole === null ? {} : { userRole }),
      };
    case "scope":
      return {
        sub: `scope:${caller.scope ?? ""}`,
        scope: caller.scope ?? "",
        ...(organizationId === null ? {} : { orgId: organizationId }),
      };
    default:
      return `the API under test takes no ${credential}`;
  }
}
