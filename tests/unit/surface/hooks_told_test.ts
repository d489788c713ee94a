/** Those who tell of operations tell of the code around their writes (definitions 6, hooks of records). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { emitOperationsManifest } from "../../../shared/compiler/phases/6-emit/operations_manifest.ts";
import { emitOpenApi } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { why } from "../../../proof/why/why.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { isRecord } from "../../support/api.ts";
import { hooked, hooksFile } from "../../support/hooked_project.ts";

const result = validate(
  hooked({ hooks: hooksFile({ beforeCreate: `() => ({ made: "x" })`, afterUpdate: "() => {}" }) }),
);
assert(result.ok, JSON.stringify(result));
const { model } = result;

Deno.test("the operations manifest names the hooks of an operation", () => {
  const entries: readonly Record<string, unknown>[] = JSON.parse(emitOperationsManifest(model));
  const told = entries.flatMap(({ operationId, hooks }) => hooks ? [[operationId, hooks]] : []);
  assertEquals(told, [
    ["batchCreateOrders", ["beforeCreate"]],
    ["batchUpdateOrders", ["afterUpdate"]],
    ["createOrders", ["beforeCreate"]],
    ["removeFileOrders_Paper", ["afterUpdate"]],
    ["restoreOrders", ["afterUpdate"]],
    ["runManyShop_Pay", ["afterUpdate"]],
    ["runShop_Pay", ["afterUpdate"]],
    ["updateOrders", ["afterUpdate"]],
    ["writeFileOrders_Paper", ["afterUpdate"]],
  ]);
});

Deno.test("OpenAPI describes the author's own refusal of a write with hooks, and of no other", () => {
  const api: unknown = JSON.parse(emitOpenApi(model));
  assert(isRecord(api) && isRecord(api["paths"]));
  const told = Object.entries(api["paths"]).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([method, operation]) =>
      isRecord(operation) && isRecord(operation["responses"]) && operation["responses"]["default"]
        ? [`${method} ${path.replace("/api/v1/", "")}`]
        : []
    )
  );
  assertEquals(told.filter((one) => one.includes("orders")).sort(), [
    "delete orders/{id}/paper",
    "patch orders/{id}",
    "post orders",
    "post orders/batch/pay",
    "post orders/batch/touch",
    "post orders/{id}/pay",
    "post orders/{id}/restore",
    "post orders/{id}/touch",
    "put orders/{id}/paper",
  ]);
});

Deno.test("why says which hooks run around a write that is let in", () => {
  const caller: Principal = {
    ...ANONYMOUS,
    credential: "token",
    userId: "ann",
    organizationId: "org_a",
    roles: ["member"],
  };
  const asked = (roles: readonly string[]) =>
    why({
      method: "PATCH",
      path: "/api/v1/orders/one",
      caller: { ...caller, roles },
      namedOrganization: null,
      row: { id: "one", organizationId: "org_a", title: "One" },
      body: { title: "Two" },
    }, result).steps.at(-1);
  assertEquals(asked(["member"])?.rule, 'afterUpdate of "orders" run, and may refuse it');
  assertEquals(asked(["member"])?.place?.file, "quickback/features/shop/hooks/orders.ts");
  assertEquals(asked([])?.layer, "access");
});
