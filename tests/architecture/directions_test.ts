/** The runtime's folders import in one direction, and no modules of the product import each other (docs/architecture.md). */
import { assertEquals } from "@std/assert";
import {
  importsOf,
  resolveImport,
  type SourceFile,
  sourcesBelow,
  staticImportsOf,
  valueImportsOf,
} from "./source_tree.ts";

const RUNTIME = "shared/runtime/";

/** From the bottom up: each may import what stands before it in this list, types too. */
const LEVELS: readonly (readonly string[])[] = [
  // Capabilities, and the end of a refused request: they name one another.
  [
    "ports.ts",
    "database_ports.ts",
    "file_ports.ts",
    "member_ports.ts",
    "realtime_ports.ts",
    "tenant_ports.ts",
    "timer.ts",
    "webhook_ports.ts",
    "refusal.ts",
  ],
  ["signed_claims.ts"],
  ["unreferred_files.ts"],
  ["file_addresses.ts"],
  ["memory_files.ts", "row_quota.ts"],
  ["context.ts"],
  ["destination"],
  ["request"],
  ["response"],
  ["layers"],
  ["data"],
  ["records"],
  ["authored"],
  ["gate.ts"],
  ["router.ts", "route_endpoints.ts"],
  ["operations"],
  ["webhooks"],
  ["jobs"],
  ["realtime"],
  ["discovery"],
  ["oauth"],
  ["mcp"],
  ["auth_hooks.ts"],
  ["background", "start_entry.ts"],
  ["app.ts"],
  ["plant_seed.ts"],
  ["mod.ts"],
];

/** Null: the list does not have it. */
function levelOf(path: string): number | null {
  const [head = ""] = path.slice(RUNTIME.length).split("/");
  const level = LEVELS.findIndex((names) => names.includes(head));
  return level === -1 ? null : level;
}

Deno.test("every part of the runtime has its level, and every level a part", () => {
  const sources = sourcesBelow("shared/runtime");
  const parts = new Set(sources.map(({ path }) => path.slice(RUNTIME.length).split("/")[0]));
  assertEquals([...parts].sort(), LEVELS.flat().sort());
});

Deno.test("a part of the runtime imports nothing of a level above its own", () => {
  const offences = sourcesBelow("shared/runtime").flatMap(({ path, imports }) =>
    imports.map((specifier) => resolveImport(path, specifier))
      .filter((target) => target.startsWith(RUNTIME))
      .filter((target) => (levelOf(target) ?? Infinity) > (levelOf(path) ?? -1))
      .map((target) => `${path} → ${target}`)
  );
  assertEquals(offences, []);
});

const PRODUCT = [
  "cli",
  "library/client",
  "container",
  "edge",
  "generated-templates",
  "tools/packaging",
  "library/platform",
  "playground",
  "proof",
  "shared",
  "library/testing",
];

Deno.test("no modules of the product import each other, types included", () => {
  assertEquals(circlesIn(sourcesBelow(...PRODUCT)), []);
});

Deno.test("a face of the product lists the names that it shows", () => {
  const offences = sourcesBelow(...PRODUCT)
    .filter(({ text }) => /^export (?:type )?\* from "\./m.test(text))
    .map(({ path }) => path);
  assertEquals(offences, []);
});

Deno.test("valueImportsOf() leaves out what is only a type", () => {
  const text = [
    'import a from "./one.ts";',
    'import type { B } from "./two.ts";',
    'import { type C, type D } from "./three.ts";',
    "import {",
    "  type E,",
    "  f,",
    '} from "./four.ts";',
    'export * from "./five.ts";',
    'export type { G } from "./six.ts";',
    'const late = await import("./seven.ts");',
  ].join("\n");
  assertEquals(valueImportsOf(text), ["./one.ts", "./four.ts", "./five.ts"]);
  assertEquals(importsOf(text).length, 7);
});

Deno.test("circlesIn() finds a circle, and only its members", () => {
  const file = (path: string, ...targets: readonly string[]): SourceFile => ({
    path,
    text: targets.map((target) => `import { x } from "./${target}";`).join("\n"),
    imports: targets.map((target) => `./${target}`),
  });
  const sources = [
    file("a.ts", "b.ts"),
    file("b.ts", "c.ts"),
    file("c.ts", "b.ts", "d.ts"),
    file("d.ts"),
  ];
  assertEquals(circlesIn(sources), ["b.ts → c.ts → b.ts"]);
});

/** Modules that import each other, as the shortest way from one of them back to itself. */
function circlesIn(sources: readonly SourceFile[]): readonly string[] {
  const targets = new Map(
    sources.map(({ path, text }) => [
      path,
      staticImportsOf(text).map((specifier) => resolveImport(path, specifier)),
    ]),
  );
  const circles = new Map<string, string>();
  for (const start of targets.keys()) {
    const way = wayBack(start, targets);
    const key = [...new Set(way ?? [])].sort().join();
    if (way && !circles.has(key)) circles.set(key, way.join(" → "));
  }
  return [...circles.values()];
}

function wayBack(
  start: string,
  targets: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  const from = new Map<string, string>();
  const queue = [start];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const target of targets.get(path) ?? []) {
      if (target === start) {
        const way = [start];
        for (let at: string | undefined = path; at !== start && at; at = from.get(at)) {
          way.unshift(at);
        }
        return [start, ...way];
      }
      if (from.has(target)) continue;
      from.set(target, path);
      queue.push(target);
    }
  }
  return null;
}
