import { assertEquals } from "@std/assert";
import { CONFIG, plain, runFront, told } from "../../support/front.ts";

/** The part of a configuration on line 2 that is refused, and what is told about it. */
const REFUSED: readonly (readonly [source: string, expected: string])[] = [
  [
    "name: NAME,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the variable `NAME`",
  ],
  ["name,", "CONFIG_NOT_LITERAL 2:1 Configuration takes literals only, not the variable `name`"],
  ["name: undefined,", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not `undefined`"],
  [
    "port: 60 * 60,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the computed value `60 * 60`",
  ],
  [
    "name: a || b,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the computed value `a || b`",
  ],
  [
    "name: process.env.NAME,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the member access `process.env.NAME`",
  ],
  [
    "name: process?.env,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the member access `process?.env`",
  ],
  [
    "name: getName(),",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the call of `getName`",
  ],
  [
    "at: new Date(),",
    "CONFIG_NOT_LITERAL 2:5 Configuration takes literals only, not the construction `new Date`",
  ],
  [
    "name: `a${1}`,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a template literal with a substitution",
  ],
  [
    "name: tag`a`,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a tagged template",
  ],
  [
    "name: a ? 1 : 2,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a conditional expression",
  ],
  [
    "...base,",
    "CONFIG_NOT_LITERAL 2:1 Configuration takes literals only, not the spread `...base`",
  ],
  [
    "list: [...base],",
    "CONFIG_NOT_LITERAL 2:8 Configuration takes literals only, not the spread `...base`",
  ],
  [
    "list: [1, , 2],",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not an empty array slot",
  ],
  ["['name']: 1,", "CONFIG_NOT_LITERAL 2:2 Configuration takes literals only, not a computed key"],
  ["name: () => 1,", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a function"],
  [
    "name: function () {},",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a function",
  ],
  ["name() {},", "CONFIG_NOT_LITERAL 2:1 Configuration takes literals only, not a method"],
  [
    "name: 'a' as string,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a type assertion",
  ],
  [
    "name: <string> 'a',",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a type assertion",
  ],
  [
    "name: 'a'!,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a non-null assertion",
  ],
  [
    "get name() { return 1; },",
    "CONFIG_NOT_LITERAL 2:1 Configuration takes literals only, not a getter or setter",
  ],
  ["name: class {},", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a class"],
  [
    "name: /a/,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a regular expression",
  ],
  ["name: 1n,", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a bigint"],
  [
    "name: 1e999,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a number out of range",
  ],
  [
    "name: !true,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the operator `!`",
  ],
  ["name: -'a',", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the operator `-`"],
  ["name: (a = 1),", "CONFIG_NOT_LITERAL 2:8 Configuration takes literals only, not an assignment"],
  [
    "name: (1, 2),",
    "CONFIG_NOT_LITERAL 2:8 Configuration takes literals only, not a comma expression",
  ],
  ["name: this,", "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not `this`"],
  [
    "name: import.meta,",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not `import.meta`",
  ],
  [
    "name: import('x'),",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not a dynamic import",
  ],
  [
    "name: defineName('x'),",
    "CONFIG_NOT_LITERAL 2:7 Configuration takes literals only, not the call of `defineName`",
  ],
  ["a: 1, a: 2,", 'DUPLICATE_KEY 2:7 Key "a" stands twice in the same object'],
  ["'a': 1, a: 2,", 'DUPLICATE_KEY 2:9 Key "a" stands twice in the same object'],
  ["__proto__: {},", 'KEY_FORBIDDEN 2:1 Key "__proto__" cannot be used'],
  ["constructor: 1,", 'KEY_FORBIDDEN 2:1 Key "constructor" cannot be used'],
];

Deno.test("a configuration takes nothing but literals, and every other construct is named with its place", () => {
  for (const [source, expected] of REFUSED) {
    const { errors } = runFront({ [CONFIG]: `export default {\n${source}\n};\n` });
    assertEquals(told(errors), [expected], source);
  }
});

/** A whole configuration that is refused. */
const REFUSED_FILES: readonly (readonly [source: string, ...expected: string[]])[] = [
  [
    'const name = "a";\nexport default { name };',
    "CONFIG_NOT_LITERAL 1:7 Configuration takes literals only, not the variable `name`",
    "CONFIG_NOT_LITERAL 2:18 Configuration takes literals only, not the variable `name`",
  ],
  [
    'let name = "a";\nexport default {};',
    "CONFIG_NOT_LITERAL 1:5 Configuration takes literals only, not the `let` variable `name`",
  ],
  [
    'import { readFileSync } from "node:fs";\nexport default {};',
    'CONFIG_IMPORT 1:10 Configuration cannot import the value "readFileSync" from "node:fs"',
  ],
  [
    'import base from "./base";\nexport default {};',
    'CONFIG_IMPORT 1:8 Configuration cannot import the value "default" from "./base"',
  ],
  [
    'import * as quickback from "quickback";\nexport default {};',
    'CONFIG_IMPORT 1:8 Configuration cannot import the value "*" from "quickback"',
  ],
  [
    'import { feature } from "quickback";\nexport default {};',
    'CONFIG_IMPORT 1:10 Configuration cannot import the value "feature" from "quickback"',
  ],
  [
    'import "./setup";\nexport default {};',
    'CONFIG_IMPORT 1:1 Configuration cannot import "./setup"',
  ],
  [
    'import { defineConfg } from "quickback";\nexport default defineConfg({ name: "a" });',
    'IMPORT_UNKNOWN 1:10 "quickback" has no export "defineConfg"',
  ],
  [
    'export default defineConfig({ name: "a" });',
    "CONFIG_NOT_LITERAL 1:16 Configuration takes literals only, not the call of `defineConfig`",
  ],
  [
    'console.log("a");\nexport default {};',
    'CONFIG_NOT_LITERAL 1:1 Configuration takes literals only, not the statement `console.log("a");`',
  ],
  [
    "export default function () {}",
    "CONFIG_NOT_LITERAL 1:16 Configuration takes literals only, not a function",
  ],
  [
    "export const a = 1;",
    "CONFIG_NOT_LITERAL 1:14 Configuration takes literals only, not the variable `a`",
  ],
  [""],
  [
    "export default {};\nexport default {};",
    "DEFAULT_EXPORT_REPEATED 2:16 File has a second default export",
  ],
];

Deno.test("a configuration holds nothing beside its default export but types and define* imports", () => {
  for (const [source, ...expected] of REFUSED_FILES) {
    const { errors } = runFront({ [CONFIG]: source });
    assertEquals([...told(errors)].sort(), [...expected].sort(), source);
  }
});

Deno.test("a misspelt helper is told with the one that was meant, and read as it", () => {
  const source =
    'import { defineConfg } from "quickback";\nexport default defineConfg({ name: "a" });';
  const { errors, definitions } = runFront({ [CONFIG]: source });
  assertEquals(errors[0]?.hint, 'Did you mean "defineConfig"?');
  assertEquals(plain(definitions.config?.defaultExport), {
    call: "defineConfig",
    args: [{ name: "a" }],
    chain: [],
  });
});

Deno.test("a configuration keeps every kind of literal, and ignores what is for the type checker", () => {
  const source = `import type { Anything } from "./types";
import { defineConfig, defineDatabase as database, type ConfigDefinition } from "@quickback/compiler";
interface Unused { a: string }
type Other = Unused;
export default defineConfig({
  name: "sample",
  'quoted-key': \`plain template\`,
  1: -2.5,
  flags: [true, false, null] as const,
  database: database("libsql", {} as const),
  nested: { deep: { er: (0x10) } } satisfies unknown,
} satisfies ConfigDefinition);
`;
  const { errors, definitions } = runFront({ [CONFIG]: source });
  assertEquals(told(errors), []);
  assertEquals(plain(definitions.config?.defaultExport), {
    call: "defineConfig",
    args: [{
      name: "sample",
      "quoted-key": "plain template",
      1: -2.5,
      flags: [true, false, null],
      database: { call: "defineDatabase", args: ["libsql", {}], chain: [] },
      nested: { deep: { er: 16 } },
    }],
    chain: [],
  });
});

Deno.test("a refused spread hides no mistake beside it", () => {
  const { errors } = runFront({ [CONFIG]: "export default {\n...base,\na: b,\nc: d,\n};" });
  assertEquals(errors.map((error) => error.place.line), [2, 3, 4]);
});
