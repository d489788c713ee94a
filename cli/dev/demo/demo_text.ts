/** Text that `dev` shows once it serves: addresses, accounts, and one request per layer (definitions 8). */
import { CONTRACT_VERSIONS } from "../../../shared/contract/versions.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { Colors } from "../../terminal.ts";
import { DEMO_PASSWORD } from "./accounts.ts";
import type { ApiClient } from "./api_client.ts";
import type { Demo } from "./demo.ts";
import { tourOf } from "./tour.ts";
import { tourText } from "./tour_text.ts";

/** Addresses of the API. */
export function addressText(
  project: ProjectModel,
  { origin, playground, page, colors }: {
    readonly origin: string;
    /** Null: there is none. */
    readonly playground: string | null;
    /** Null: the project has none. */
    readonly page: string | null;
    readonly colors: Colors;
  },
): string {
  return [
    "",
    ...(playground === null ? [] : [`  Edit it   ${colors.cyan(playground)}`]),
    ...(page === null ? [] : [`  Page      ${colors.cyan(page)}`]),
    `  API       ${colors.cyan(origin + CONTRACT_VERSIONS[project.contract].apiBase)}`,
    ...(project.openapi.generate && project.openapi.publish !== false
      ? [`  OpenAPI   ${colors.cyan(`${origin}/openapi.json`)}`]
      : []),
    ...(project.openapi.docs === false ? [] : [`  Try it    ${colors.cyan(`${origin}/docs`)}`]),
    `  Health    ${colors.cyan(`${origin}/health`)}`,
  ].join("\n");
}

/** Accounts that can sign in, and the answer of each layer. */
export async function demoText(
  demo: Demo,
  options: { readonly api: ApiClient; readonly origin: string; readonly colors: Colors },
): Promise<string> {
  const { account, organization } = demo;
  const role = organization ? ` (owner of ${organization.name})` : "";
  const steps = await tourText(tourOf(demo), options);
  return [`  Account   ${account.email} / ${DEMO_PASSWORD}${role}`, ...steps, ""].join("\n");
}
