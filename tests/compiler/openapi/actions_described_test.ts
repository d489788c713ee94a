/** Actions in `openapi.json`, the schema registry and `/llms.txt` (contract 4.7, 9.5, definitions 2). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Ajv2020 } from "ajv/2020";
import formats from "ajv-formats";
import { compile } from "../../../shared/compiler/mod.ts";
import { llmsText } from "../../../shared/surface/llms_text.ts";
import { BARE_HOST } from "../../support/sample_files.ts";
import { CLINIC } from "../../support/clinic.ts";

const result = compile(CLINIC, BARE_HOST);
if (!result.ok) throw new Error(JSON.stringify(result.errors));
const { model, files } = result;
const read = (name: string) => files.find(({ path }) => path === name)?.content ?? "";
const document = JSON.parse(read("openapi.json"));

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, { readonly content?: Record<string, Content> }>;
}
interface Content {
  readonly schema: object;
  readonly examples?: { readonly sample: { readonly value: unknown } };
}

const operations: readonly Described[] = Object.values(document.paths).flatMap((methods) =>
  Object.values(Object(methods))
).filter((one): one is Described => /^run/.test(Object(one).operationId));

Deno.test("every action has a summary, a description, and examples that are valid", () => {
  assertEquals(operations.length, 28);
  const ajv = formats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ ...document, $id: "doc" });
  for (const { operationId, summary, description, requestBody, responses } of operations) {
    assert(summary.length > 3 && description.length > 3, operationId);
    const contents = [
      ...Object.values(requestBody?.content ?? {}),
      ...Object.values(responses["200"]?.content ?? {}),
    ];
    for (const { schema, examples } of contents) {
      if (examples === undefined) continue;
      const example = examples.sample.value;
      assert(
        ajv.validate(schema, example),
        `${operationId}: ${JSON.stringify(example)} ${ajv.errorsText()}`,
      );
    }
    if (requestBody) {
      assert(Object.hasOwn(requestBody.content["application/json"] ?? {}, "examples"), operationId);
    }
  }
});

Deno.test("an action declares the statuses that it can have, and no others", () => {
  const of = (id: string) =>
    Object.keys(operations.find((one) => one.operationId === id)?.responses ?? {});
  // No handler, so no database refusal; no revision, so conditions are 428.
  assertEquals(of("runPatients_Discharge"), [
    "200",
    "400",
    "401",
    "403",
    "408",
    "409",
    "413",
    "415",
    "422",
    "428",
    "429",
    "500",
    "503",
    "default",
  ]);
  assertEquals(of("runReports_Load"), [
    "200",
    "400",
    "401",
    "403",
    "409",
    "429",
    "500",
    "503",
    // A full store of files.
    "507",
    "default",
  ]);
});

Deno.test("the schema registry lists each resource's actions with what they take", () => {
  const registry = JSON.parse(read("schema-registry.json"));
  const patients = registry.resources.find(({ name }: { name: string }) => name === "patients");
  assertEquals(patients.actions.map(({ name }: { name: string }) => name), [
    "audit-houses",
    "count",
    "discharge",
    "erase",
    "export",
    "near",
    "readmit",
    "search",
    "summarize",
    "watch",
  ]);
  const { description, ...discharge } = patients.actions.find(({ name }: { name: string }) =>
    name === "discharge"
  );
  assertEquals(description, "Let a patient go home");
  assertEquals(discharge, {
    name: "discharge",
    key: "patients.discharge",
    kind: "record",
    verb: null,
    bulk: true,
    operationId: "runPatients_Discharge",
    method: "POST",
    path: "/api/v1/patients/:id/discharge",
    roles: ["doctor"],
    responseType: "json",
    unsafe: false,
    transition: {
      field: "stay",
      fromTo: { admitted: ["discharged"] },
      to: "discharged",
      via: null,
    },
    input: { type: "object", properties: {} },
  });
  assertEquals(registry.actions.map(({ key }: { key: string }) => key), [
    "reports.load",
    "reports.ping",
  ]);
});

Deno.test("/llms.txt lists actions below their resource, and the others by themselves", () => {
  const text = llmsText(model, "https://api.example.com");
  assertStringIncludes(
    text,
    "- [POST /api/v1/patients/:id/discharge](https://api.example.com/openapi.json#/paths/~1api~1v1~1patients~1%7Bid%7D~1discharge/post): Let a patient go home, for doctor",
  );
  assertStringIncludes(
    text,
    "- [POST /api/v1/appointments](https://api.example.com/openapi.json#/paths/~1api~1v1~1appointments/post): Book an appointment, for clerk, nurse, doctor",
  );
  assertStringIncludes(text, "## Actions\n\n- [GET /api/v1/reports/load](");
});
