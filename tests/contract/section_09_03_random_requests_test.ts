/**
 * The description is as wide as the service (contract 4.7, 9.3): thousands of requests made at random from its schemas and
 * parameters. What it allows is never refused as invalid, and no answer is other than it says. `RANDOM_REQUESTS` asks for more
 * of them, `RANDOM_SEED` for others.
 */
import { assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { emitOpenApi } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { memoryPubSub } from "../../shared/runtime/mod.ts";
import { type Answer, isRecord } from "../support/api.ts";
import { CLINIC } from "../support/clinic.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { type MadeRequest, requestMaker, sendMade } from "../support/described_requests.ts";
import { manualTimer } from "../support/realtime.ts";
import { seededRandom } from "../support/random.ts";
import { projectFiles } from "../support/sample_files.ts";
import { withWebhooks } from "../support/webhooks.ts";

const COUNT = Number(Deno.env.get("RANDOM_REQUESTS") ?? 700);
const SEED = Number(Deno.env.get("RANDOM_SEED") ?? 20260101);
/** Faults that are shown at once. */
const SHOWN = 10;

const EXAMPLES = new URL("../../examples/", import.meta.url);
const example = (name: string) => projectFiles(new URL(`${name}/`, EXAMPLES));

const PROJECTS: readonly (readonly [string, () => Promise<RawFiles>, readonly string[]])[] = [
  ["helpdesk", () => example("helpdesk"), ["admin", "owner"]],
  ["saas", () => example("saas"), ["admin", "owner"]],
  ["clinic", () => Promise.resolve(CLINIC), ["admin", "owner", "doctor", "nurse"]],
];

for (const [name, files, roles] of PROJECTS) {
  Deno.test(`what the description of ${name} allows is accepted, and what is answered it declares`, async () => {
    await withCompiled(await files(), ({ model: project, code }) =>
      withWebhooks(async (api) => {
        const random = seededRandom(SEED);
        const maker = requestMaker(emitOpenApi(project), { random, isAsked });
        const faults: string[] = [];
        for (let at = 0; at < COUNT && faults.length < SHOWN; at += 1) {
          const isValid = random.chance(65);
          const request = isValid ? maker.valid() : maker.bent();
          const as = { sub: `user_${random.below(2)}`, orgId: "org_a", roles };
          try {
            const answer = await sendMade(api, request, { as });
            maker.learn(request, answer.body);
            const fault = isValid || maker.isAllowed(request) ? faultOf(answer) : failureOf(answer);
            if (fault) faults.push(told(request, answer.text));
          } catch (error) {
            faults.push(told(request, String(error)));
          }
        }
        assertEquals(faults, []);
      }, {
        project,
        code,
        realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
      }));
  });
}

/** Handlers of the clinic that are there to throw. */
const FAILS = /^run(?:Many)?Patients_(?:Watch|Summarize|Export)$/;

/** Accounts, tokens, uploads and what answers without an end are driven by the tests of their sections. */
function isAsked(operationId: string): boolean {
  return !FAILS.test(operationId) &&
    !/^(?:auth[A-Z]|writeFile|webhookReceive|service(?:Token|ScopeToken|Events|Mcp|Docs|Oauth\w+)\b)/
      .test(
        operationId,
      );
}

function told({ operationId, method, path, headers, body }: MadeRequest, answer: string): string {
  const sent = body === undefined ? "" : ` ${JSON.stringify(body).slice(0, 600)}`;
  return `${operationId}: ${method} ${path} ${JSON.stringify(headers)}${sent} → ${
    answer.slice(0, 700)
  }`;
}

function failureOf({ status }: Answer): boolean {
  return status >= 500;
}

const INVALID =
  /^(?:VALIDATION_|GUARD_|INVALID_JSON|BATCH_|UNSUPPORTED_|PAYLOAD_|PRECONDITION_UN|ROUTE_|METHOD_|HOST_)/;

/** A valid request may be refused for what it names, never for what it is. */
function faultOf(answer: Answer): boolean {
  if (failureOf(answer)) return true;
  const { errors } = answer.body;
  const refusals = Array.isArray(errors)
    ? errors.filter(isRecord).map(({ error }) => error)
    : answer.status >= 400
    ? [answer.body]
    : [];
  return refusals.map(refusedRecord).some((one) =>
    isRecord(one) && INVALID.test(String(one["code"])) && !isMissing(one)
  );
}

/** What stopped a fail-fast batch is judged in its stead. */
function refusedRecord(refusal: unknown): unknown {
  const details = isRecord(refusal) ? refusal["details"] : undefined;
  return isRecord(details) && isRecord(details["errorDetails"]) ? details["errorDetails"] : refusal;
}

/** A foreign key to a record that is not there, or a text that an author's own code stores: no schema knows of either. */
function isMissing({ details, detail }: Readonly<Record<string, unknown>>): boolean {
  if (detail === "A text contains a NUL character") return true;
  const fields = isRecord(details) && isRecord(details["fields"]) ? details["fields"] : {};
  const messages = Object.values(fields);
  return messages.length > 0 &&
    messages.every((text) => text === "Must be the id of an existing record");
}
