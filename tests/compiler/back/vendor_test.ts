/** Vendoring: the whole import closure, every text as it is but for paths that the new layout changes. */
import { assertEquals, assertThrows } from "@std/assert";
import { vendor } from "../../../container/host.ts";

const FILES: Readonly<Record<string, string>> = {
  "shared/runtime/mod.ts": [
    'import { Hono } from "hono/tiny";',
    'export * from "../model/table.ts";',
    "import type {",
    "  A,",
    '} from "./a.ts";',
    'const late = await import("../model/late.ts");',
    "",
  ].join("\n"),
  "shared/runtime/a.ts": 'export { late } from "../model/late.ts";\n',
  "shared/model/table.ts": 'import "../runtime/mod.ts";\n// import "./not_one.ts";\n',
  "shared/model/late.ts": "export const late = 1;\n",
  "library/platform/mod.ts":
    'import { a } from "../../shared/runtime/a.ts";\nimport b from "./deep/b.ts";\n',
  "library/platform/deep/b.ts":
    'import { a } from "../../../shared/runtime/a.ts";\nimport "node:path";\n',
  "shared/unused.ts": "",
};

function readText(path: string): string {
  const text = FILES[path];
  if (text === undefined) throw new Error(`No file '${path}'`);
  return text;
}

Deno.test("vendor() follows every form of import and nothing else", () => {
  const { files, bareImports } = vendor({
    entries: ["shared/runtime/mod.ts", "library/platform/mod.ts"],
    readText,
  });
  assertEquals(Object.keys(files).sort(), [
    "src/quickback/model/late.ts",
    "src/quickback/model/table.ts",
    "src/quickback/platform/deep/b.ts",
    "src/quickback/platform/mod.ts",
    "src/quickback/runtime/a.ts",
    "src/quickback/runtime/mod.ts",
  ]);
  assertEquals(bareImports, ["hono/tiny", "node:path"]);
});

Deno.test("vendor() rewrites only the paths that the layout changes", () => {
  const { files } = vendor({ entries: ["library/platform/mod.ts"], readText });
  assertEquals(files["src/quickback/runtime/a.ts"], FILES["shared/runtime/a.ts"]);
  assertEquals(
    files["src/quickback/platform/mod.ts"],
    'import { a } from "../runtime/a.ts";\nimport b from "./deep/b.ts";\n',
  );
  assertEquals(
    files["src/quickback/platform/deep/b.ts"],
    'import { a } from "../../runtime/a.ts";\nimport "node:path";\n',
  );
});

Deno.test("vendor() fails on an import that leads nowhere", () => {
  const astray = (path: string) => path === "x.ts" ? 'import "./y.js";' : readText(path);
  assertThrows(() => vendor({ entries: ["x.ts"], readText: astray }), Error, "No file 'y.js'");
});
