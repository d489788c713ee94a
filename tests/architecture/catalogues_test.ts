/** The catalogues of codes are complete and closed: every code the contract names, no code that it does not. */
import { assert, assertEquals } from "@std/assert";
import { LAYERS, RUNTIME_CODES, SERVICE_CODES } from "../../shared/contract/codes.ts";
import { CATALOGUE } from "../../shared/compiler/diagnostics/catalogue/mod.ts";
import { sourcesBelow } from "./source_tree.ts";

Deno.test("every runtime code has a known layer, an error status and its own title", () => {
  const rows = Object.entries({ ...RUNTIME_CODES, ...SERVICE_CODES });
  const titles = rows.map(([, row]) => row.title);
  assertEquals(new Set(titles).size, titles.length);
  for (const [code, row] of rows) {
    assert(LAYERS.includes(row.layer), `${code} has layer ${row.layer}`);
    assert(row.status >= 400 && row.status < 600, `${code} has status ${row.status}`);
  }
});

Deno.test("every compiler diagnostic is reported somewhere and cites its section", () => {
  const sources = sourcesBelow("shared/compiler")
    .filter((file) => !file.path.includes("/diagnostics/catalogue/"))
    .map((file) => file.text).join("\n");
  for (const [code, row] of Object.entries(CATALOGUE)) {
    assert(sources.includes(`"${code}"`), `${code} is in the catalogue and never reported`);
    assert(/^(contract|definitions) \d/.test(row.section), `${code} cites ${row.section}`);
  }
});

Deno.test("every diagnostic and every problem is shown by a test", () => {
  const tests = sourcesBelow("tests").filter(({ path }) => path.endsWith("_test.ts"))
    .map(({ text }) => text).join("\n");
  const codes = Object.keys({ ...RUNTIME_CODES, ...SERVICE_CODES, ...CATALOGUE });
  assertEquals(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(tests)), []);
});
