/** `openapi.json` before the linters that others hold it against (contract 4.7, 9.3): no error, no warning, fit for agents. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { emitOpenApi } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { withDocuments } from "../../support/api_tools.ts";
import { describedProjects } from "../../support/described_projects.ts";

const LEAST_SCORE = 90;

const { helpdesk, clinicV2, awkward, board } = await describedProjects();
const documents = Object.fromEntries(
  Object.entries({ helpdesk, clinicV2, awkward, board })
    .map(([name, model]) => [`${name}.json`, emitOpenApi(model)]),
);

/** A link that always leads on has no other answer to describe. */
const REDIRECTS_ONLY = Object.keys(documents).map((file) => {
  const base = file === "clinicV2.json" ? "~1auth~1v2" : "~1api~1auth";
  const place = `#/paths/${base}~1reset-password~1{token}/get/responses`;
  return `${file}:\n  operation-2xx-response:\n    - "${place}"\n`;
});

Deno.test("Redocly finds nothing to say against any description", () =>
  withDocuments(
    { ...documents, ".redocly.lint-ignore.yaml": REDIRECTS_ONLY.join("") },
    async (run) => {
      const files = Object.keys(documents);
      const { code, out, err } = await run("redocly", ["lint", ...files]);
      const said = out + err;
      assertEquals(code, 0, said);
      for (const file of files) assertStringIncludes(said, `${file}: validated`);
      assertStringIncludes(said, "Your API descriptions are valid");
      assertEquals(/warning/i.test(said), false, said);
    },
  ));

Deno.test("Redocly's linter would find a fault, and a reason for a warning", () => {
  const text = documents["awkward.json"] ?? "";
  const faulty = {
    "twice.json": text.replaceAll(/"operationId":"get\w+"/g, '"operationId":"same"'),
    "bare.json": text.replace(/"license":\{[^}]*\},/, ""),
  };
  return withDocuments(faulty, async (run) => {
    const { code, out, err } = await run("redocly", ["lint", ...Object.keys(faulty)]);
    assertEquals(code, 1);
    assertStringIncludes(out + err, "operation-operationId-unique");
    assertStringIncludes(out + err, "warning");
  });
});

for (const file of ["helpdesk.json", "clinicV2.json"]) {
  Deno.test(`Redocly scores ${file} at ${LEAST_SCORE} and more for agents`, () =>
    withDocuments(documents, async (run) => {
      const { out, err } = await run("redocly", ["score", "--format", "json", file]);
      const { agentReadiness } = JSON.parse(out.slice(out.indexOf("{")));
      assert(agentReadiness >= LEAST_SCORE, `${agentReadiness} ${err}`);
    }));
}

Deno.test("Spectral finds nothing to say against the helpdesk", () => {
  const ruleset = JSON.stringify({ extends: ["spectral:oas"] });
  return withDocuments({ ...documents, "rules.json": ruleset }, async (run) => {
    const args = ["lint", "--ruleset", "rules.json", "--format", "json", "helpdesk.json"];
    const { code, out, err } = await run("spectral", args);
    assertEquals([code, out.slice(out.indexOf("["), out.indexOf("]") + 1)], [0, "[]"], out + err);
  });
});
