import { assert, assertEquals } from "@std/assert";
import { validate } from "../../../shared/compiler/mod.ts";
import { projectFiles } from "../../support/sample_files.ts";

Deno.test("the helpdesk resolves and reopens tickets by moves that the service makes", async () => {
  const result = validate(
    await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url)),
  );
  assert(result.ok, JSON.stringify(result));
  assertEquals(
    result.model.actions.map(({ key, method, path, handler, transition }) => ({
      url: `${key} ${method} ${path}`,
      handler,
      fromTo: transition?.fromTo,
      stamp: transition?.stamp,
      clears: transition?.clears,
    })),
    [
      {
        url: "tickets.reopen POST /tickets/:id/reopen",
        handler: null,
        fromTo: { resolved: ["open"] },
        stamp: null,
        clears: ["resolvedAt"],
      },
      {
        url: "tickets.resolve POST /tickets/:id/resolve",
        handler: null,
        fromTo: { open: ["resolved"], pending: ["resolved"] },
        stamp: "resolvedAt",
        clears: [],
      },
    ],
  );
});
