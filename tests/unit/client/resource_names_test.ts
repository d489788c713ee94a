/** One name for a resource in the client, and the types of operations that run an action. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import * as fc from "fast-check";
import { segmentOf } from "../../../library/client/resource_name.ts";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { kebabCase } from "../../../shared/surface/mod.ts";
import { projectFiles } from "../../support/sample_files.ts";

Deno.test("segmentOf() spells every name as the compiler does, and its own answer again", () => {
  for (const name of ["workOrders", "work-orders", "HTTPServer2_log", "a1", "x", "ABc", "a_1"]) {
    assertEquals(segmentOf(name), kebabCase(name));
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,20}$/), (name) => {
      assertEquals(segmentOf(name), kebabCase(name));
      assertEquals(segmentOf(segmentOf(name)), segmentOf(name));
    }),
  );
});

const CLINIC = new URL("../../contract/clinic/", import.meta.url);

async function typesOf(files: RawFiles): Promise<string> {
  const validation = validate(files);
  assert(validation.ok);
  return await Promise.resolve(clientTypes(validation.model));
}

Deno.test("an operation that runs an action has the action's types, whichever it is", async () => {
  const types = await typesOf(await projectFiles(CLINIC));
  const [, appointments = ""] = /^ {4}readonly appointments: \{\n([^]*?)\n {4}\};/m.exec(types) ??
    [];
  for (const verb of ["create", "update", "delete"]) {
    assertMatch(
      appointments,
      new RegExp(
        `^ {6}readonly ${verb}: \\{\\n {8}readonly method: "[A-Z]+";\\n {8}readonly body: `,
        "m",
      ),
    );
  }
});

Deno.test("a resource has its one name, and that of URLs as a deprecated one", async () => {
  const types = await typesOf({
    "quickback/quickback.config.ts":
      'export default { name: "works", realtime: { enabled: true } };\n',
    "quickback/features/work/work-orders.ts": `import { feature, q } from "quickback";
export default feature("workOrders", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  read: { access: { roles: ["member"] } },
  realtime: true,
});
`,
  });
  assertMatch(types, /^ {4}readonly workOrders: \{\n {6}readonly name: "workOrders";$/m);
  assertMatch(
    types,
    /^ {4}\/\*\* @deprecated Say workOrders\. \*\/\n {4}readonly "work-orders": Api\["resources"\]\["workOrders"\];$/m,
  );
  assertMatch(
    types,
    /^ {4}\/\*\* @deprecated Say workOrders\. \*\/\n {4}readonly "work-orders": Api\["frames"\]\["workOrders"\];$/m,
  );
});
