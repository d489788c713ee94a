/** Writes the text that `dev` shows once it serves: addresses, accounts, and one request for each layer (definitions 8). */
import { CONTRACT_VERSIONS, RUNTIME_CODES } from "../../../shared/contract/mod.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import { shellWord } from "../../shell_word.ts";
import type { Colors } from "../../terminal.ts";
import { DEMO_PASSWORD } from "./accounts.ts";
import { type Answer, type ApiClient, member, textAt } from "./api_client.ts";
import { type Credentials, exportLine, headerWord } from "./credential_words.ts";
import type { Demo } from "./demo.ts";
import { tourOf, type TourStep } from "./tour.ts";

/** Writes the addresses of the API. */
export function addressText(
  project: ProjectModel,
  { origin, playground, page, sink, colors }: {
    readonly origin: string;
    /** Address of the playground; null: there is none. */
    readonly playground: string | null;
    /** Address of the project's page; null: the project has none. */
    readonly page: string | null;
    /** Address for webhooks that only this machine's API can reach; null: there is none. */
    readonly sink: string | null;
    readonly colors: Colors;
  },
): string {
  return [
    "",
    ...(playground === null ? [] : [`  Edit it   ${colors.cyan(playground)}`]),
    ...(page === null ? [] : [`  Page      ${colors.cyan(page)}`]),
    `  Home      ${colors.cyan(`${origin}/`)}`,
    `  API       ${colors.cyan(origin + CONTRACT_VERSIONS[project.contract].apiBase)}`,
    ...(project.openapi.generate && project.openapi.publish !== false
      ? [`  OpenAPI   ${colors.cyan(`${origin}/openapi.json`)}`]
      : []),
    ...(project.openapi.docs === false ? [] : [`  Try it    ${colors.cyan(`${origin}/docs`)}`]),
    `  Health    ${colors.cyan(`${origin}/health`)}`,
    ...(sink === null ? [] : [`  Webhooks  ${colors.cyan(sink)}`]),
  ].join("\n");
}

/**
 * Writes the account that can sign in, its credential for a shell, and two lines for each layer: the expected answer, and the
 * command of the request. Each request is sent once, so that the printed answer is the API's own.
 */
export async function demoText(demo: Demo, options: {
  readonly api: ApiClient;
  readonly origin: string;
  /** Absolute path of dev's folder. */
  readonly folder: string;
  readonly colors: Colors;
}): Promise<string> {
  const { account, organization } = demo;
  const role = organization ? ` (owner of ${organization.name})` : "";
  const tour: string[] = [];
  for (const step of tourOf(demo)) {
    const answer = await options.api(step.request);
    tour.push(
      "",
      `  ${options.colors.bold(step.layer)}: ${step.title} → ${answerText(step, answer)}`,
      curlLine(step, { ...options, demo: demo.demo }),
    );
  }
  return [
    `  Account   ${account.email} / ${DEMO_PASSWORD}${role}`,
    "",
    exportLine(demo.demo),
    ...tour,
    "",
  ].join("\n");
}

function answerText(step: TourStep, answer: Answer): string {
  const code = textAt(answer.json, "code");
  if (code !== null && Object.hasOwn(RUNTIME_CODES, code)) return `${answer.status} ${code}`;
  const shown = step.shows.flatMap((name) => {
    const value = member(answer.json, name);
    return value === undefined || value === null ? [] : [`${name} ${JSON.stringify(value)}`];
  });
  return [answer.status, ...shown].join(" ");
}

/**
 * Writes a step of the tour as one line for a POSIX shell in which the demo's variable is set. `origin` has no trailing slash.
 */
export function curlLine(
  { request, visitor }: Pick<TourStep, "request" | "visitor">,
  { origin, ...credentials }: Credentials & { readonly origin: string },
): string {
  const { method, path, body } = request;
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(visitor ? ["-H", headerWord(visitor, credentials)] : []),
    ...(body ? ["-H 'content-type: application/json' -d", shellWord(JSON.stringify(body))] : []),
    shellWord(origin + path),
  ].join(" ");
}
