/** `webhooks` of `openapi.json`: what registered endpoints are really sent (contract 5.7, 6.1). */
import { Ajv2020 } from "ajv/2020";
import addFormats from "ajv-formats";
import { assert, assertEquals } from "@std/assert";
import { openApiDocument } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { emitEvent } from "../../../shared/runtime/mod.ts";
import { isRecord } from "../../support/api.ts";
import { project as plain } from "../../support/sample_project.ts";
import { webhooksProject, withWebhooks } from "../../support/webhooks.ts";

const TYPES = ["user.created", "crm:order/paid"];
const project = {
  ...webhooksProject,
  webhooks: { ...webhooksProject.webhooks, events: TYPES },
};

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, name) => typeof found === "object" && found !== null ? Reflect.get(found, name) : null,
    value,
  );
}

Deno.test("every event that a project names is a webhook of its description, and so is the test send", () => {
  const { webhooks } = openApiDocument(project);
  assert(isRecord(webhooks));
  assertEquals(Object.keys(webhooks), [...TYPES, "webhook.test"]);
  const ids = Object.values(webhooks).map((item) => at(item, "post", "operationId"));
  assertEquals(ids, ["event.user.created", "event.crm..3a.order..2f.paid", "event.webhook.test"]);
});

Deno.test("a project that sends nothing describes no webhooks", () => {
  assertEquals(Object.hasOwn(openApiDocument(plain), "webhooks"), false);
});

Deno.test("what is delivered is what is described, headers and body", async () => {
  const document = openApiDocument(project);
  await withWebhooks(async (api) => {
    await api.register();
    for (const type of TYPES) {
      const event = { type, payload: { name: "Zoë" }, organizationId: "org_a" };
      await api.database.write((transaction) => emitEvent(transaction, event, api.ports));
    }
    await api.work();
    assertEquals(api.dialled.length, TYPES.length);
    for (const { body, headers } of api.dialled) {
      const sent: unknown = JSON.parse(String(body));
      const operation = at(document, "webhooks", String(at(sent, "type")), "post");
      const media = at(operation, "requestBody", "content", "application/json");
      assertEquals(faults(at(media, "schema"), sent), null);
      assertEquals(faults(at(media, "schema"), at(media, "examples", "sample", "value")), null);
      const parameters = at(operation, "parameters");
      assert(Array.isArray(parameters));
      for (const parameter of parameters) {
        assertEquals(faults(at(parameter, "schema"), headers[String(at(parameter, "name"))]), null);
      }
      assertEquals(
        parameters.map((parameter) => String(at(parameter, "name"))).sort(),
        Object.keys(headers).filter((name) => name.startsWith("webhook-")).sort(),
      );
    }
  }, { project });
});

function faults(schema: unknown, value: unknown): unknown {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  assert(isRecord(schema));
  const validate = ajv.compile(schema);
  return validate(value) ? null : validate.errors;
}
