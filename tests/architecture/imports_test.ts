/** Who may import whom (docs/architecture.md): the direction of the pipeline, enforced. */
import { assertEquals } from "@std/assert";
import {
  importsOf,
  resolveImport,
  type SourceFile,
  sourcesBelow,
  valueImportsOf,
} from "./source_tree.ts";

/** Folder → what its files may import besides themselves: folders, files or bare names. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "shared/lib": [],
  "shared/contract": [],
  "shared/column_types": ["shared/lib", "shared/contract", "zod"],
  "shared/model": ["shared/contract", "shared/column_types"],
  "shared/definition_language": ["shared/contract", "shared/model"],
  "shared/surface": ["shared/lib", "shared/contract", "shared/column_types", "shared/model", "zod"],
  "shared/authoring": [
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/definition_language",
    "zod",
    "drizzle-orm",
    "hono",
  ],
  "shared/oracle": ["shared/contract", "shared/column_types", "shared/model", "shared/surface"],
  "shared/compiler": [
    "shared/lib",
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/surface",
    "shared/definition_language",
    "shared/oracle",
    "zod",
    "@babel/parser",
    "@babel/types",
    "@noble/hashes",
    "croner",
    "pluralize",
    "recheck",
    "smol-toml",
  ],
  "shared/runtime": [
    "shared/lib",
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/surface",
    "hono",
    "croner",
    "drizzle-orm",
    "jose",
    "zod",
    "nanoid",
    "@paralleldrive/cuid2",
    "ipaddr.js",
    "@modelcontextprotocol/sdk",
    "eventsource-parser",
  ],
  "library/client": [],
  "shared/accounts": [
    "shared/lib",
    "shared/contract",
    "shared/model",
    "shared/surface",
    "shared/runtime/ports.ts",
    "better-auth",
    "@better-auth",
    "zod",
  ],
  "shared/service": [
    "shared/lib",
    "shared/contract",
    "shared/model",
    "shared/compiler/front.ts",
    "shared/compiler/mod.ts",
    "hono",
    "@hono/zod-openapi",
    "jose",
    "zod",
  ],
  // None of the proofs knows the runtime, which they judge.
  "proof/rows": [
    "shared/lib",
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/surface",
    "shared/oracle",
  ],
  "proof/questions": [
    "shared/lib",
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/surface",
    "shared/oracle",
    "proof/rows",
  ],
  "proof/conformance": [
    "shared/lib",
    "shared/model",
    "shared/surface",
    "shared/oracle",
    "proof/rows",
    "proof/questions",
  ],
  "proof/leakcheck": ["shared/lib", "shared/model", "proof/rows", "proof/questions"],
  "proof/why": [
    "shared/contract",
    "shared/model",
    "shared/surface",
    "shared/oracle",
    "proof/questions",
  ],
  "proof/audit": [
    "shared/column_types",
    "shared/model",
    "shared/surface",
    "shared/oracle",
    "proof/why",
    "sql-parser-cst",
  ],
  "proof/diff": ["shared/column_types", "shared/model", "shared/surface", "shared/oracle"],
  "cli/adopt": [
    "shared/lib",
    "shared/contract",
    "shared/column_types",
    "shared/model",
    "shared/surface/names.ts",
    "shared/surface/reserved_names.ts",
    "@babel/parser",
    "@babel/types",
    "node:path",
    "zod",
    "@scalar/openapi-upgrader",
    "pluralize",
    "sql-parser-cst",
    "yaml",
  ],
  // No native addon, no file system, no subprocess: an isolate on the edge loads all of it.
  "edge": [
    "shared/lib",
    "shared/contract",
    "shared/compiler/front.ts",
    "shared/service/mod.ts",
    "shared/service/step_compiler.ts",
    "library/platform/console_logger.ts",
    "library/platform/failed_start.ts",
    "library/platform/request_spans.ts",
    "library/platform/serve.ts",
    "library/platform/system.ts",
  ],
  // A host of the build service with a page; its own host is the command line, which it does not know.
  "playground": [
    "shared/lib",
    "shared/contract",
    "shared/compiler/mod.ts",
    "shared/service/mod.ts",
    "shared/service/step_compiler.ts",
    "container/browser_bundle.ts",
    "edge/web_ports.ts",
    "library/platform/if_there.ts",
    "@codemirror",
    // The layout of the page's diagrams.
    "@dagrejs/dagre",
    "@lezer/highlight",
    "comlink",
    "eventsource-parser",
    // Projects as zips, of a page without a server.
    "fflate",
    "hono",
    "node:path",
    // The language service of the page's editor, in a worker of its own.
    "typescript",
    "zod",
  ],
  // An author's tests: an output, its runtime and stand-ins for what is outside.
  "library/testing": [
    "library/client/mod.ts",
    "shared/lib",
    "shared/contract",
    "shared/model",
    "shared/surface",
    "shared/accounts/mod.ts",
    "shared/runtime/mod.ts",
    "library/platform/if_there.ts",
    "library/platform/mod.ts",
    "node:path",
    "node:url",
  ],
  "library/platform": [
    "shared/lib",
    "shared/contract",
    "shared/runtime/ports.ts",
    "libsql",
    "@fastify/busboy",
    "aws4fetch",
    "@block65/webcrypto-web-push",
    "@leichtgewicht/dns-packet",
    "@opentelemetry/api",
    "zod",
    // The platform's own.
    "node:async_hooks",
    "node:crypto",
    "node:fs",
    "node:http",
    "node:https",
    "nodemailer",
    "prom-client",
    "redis",
    "ipaddr.js",
    "node:path",
    "node:stream",
    "node:timers",
    "node:url",
    "node:util",
    "node:v8",
    "node:vm",
  ],
};

/** Folders whose files only ever meet through the listed faces. */
const FACES = [
  "shared/compiler",
  "shared/runtime",
  "shared/authoring",
  "shared/accounts",
  "library/client",
  "proof/audit",
  "proof/conformance",
  "proof/leakcheck",
  "shared/service",
  "library/platform",
  "container",
  "edge",
  "playground",
];

Deno.test("a folder imports only what the architecture allows it", () => {
  const offences = Object.entries(ALLOWED).flatMap(([folder, allowed]) =>
    sourcesBelow(folder).flatMap((file) => forbiddenImports(file, [folder, ...allowed]))
  );
  assertEquals(offences, []);
});

Deno.test("what the architecture allows, somebody needs", () => {
  const unused = Object.entries(ALLOWED).flatMap(([folder, allowed]) => {
    const targets = sourcesBelow(folder).flatMap((file) =>
      file.imports.map((specifier) => resolveImport(file.path, specifier))
    );
    return allowed.filter((entry) => !targets.some((target) => isWithin(target, entry)))
      .map((entry) => `${folder} → ${entry}`);
  });
  assertEquals(unused, []);
});

Deno.test("a compiler phase imports nothing of a later phase", () => {
  const offences = sourcesBelow("shared/compiler/phases").flatMap((file) => {
    const own = phaseOf(file.path);
    return file.imports.map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => own !== null && (phaseOf(target) ?? 0) > own)
      .map((target) => `${file.path} → ${target}`);
  });
  assertEquals(offences, []);
});

Deno.test("a runtime layer imports no other layer", () => {
  const offences = sourcesBelow("shared/runtime/layers").flatMap((file) =>
    file.imports.map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => layerOf(target) !== null && layerOf(target) !== layerOf(file.path))
      .map((target) => `${file.path} → ${target}`)
  );
  assertEquals(offences, []);
});

Deno.test("layers and operations do not know the HTTP framework", () => {
  const offences = sourcesBelow(
    "shared/runtime/layers",
    "shared/runtime/operations",
    "shared/runtime/data",
  )
    .filter((file) => file.imports.some((specifier) => isWithin(specifier, "hono")))
    .map((file) => file.path);
  assertEquals(offences, []);
});

Deno.test("hosts reach compiler and runtime through their faces", () => {
  const offences = sourcesBelow(
    "cli",
    "container",
    "edge",
    "playground",
    "library/testing",
    "generated-templates",
  )
    .flatMap((file) =>
      file.imports.map((specifier) => resolveImport(file.path, specifier))
        .filter((target) => isBehindFace(file.path, target))
        .map((target) => `${file.path} → ${target}`)
    );
  assertEquals(offences, []);
});

/** Folders whose names come from one face, so that import lists stay short; a module may be imported whole, under a name. */
const NAMED_BY_FACE = ["shared/contract", "shared/model", "shared/surface", "proof/rows"];

Deno.test("names of the contract, the model, the surface and the proofs' rows come from their faces", () => {
  const sources = sourcesBelow(
    "shared",
    "proof",
    "library/platform",
    "cli",
    "library/testing",
    "playground",
  );
  // Drafting loads no more of the surface than its names.
  const offences = sources.filter(({ path }) => !isWithin(path, "cli/adopt")).flatMap((
    { path, text },
  ) =>
    [...text.matchAll(/^import (?:type )?\{[^}]*\} from "([^"]+)"/gm)]
      .map(([, specifier = ""]) => resolveImport(path, specifier))
      .filter((target) =>
        NAMED_BY_FACE.some((folder) =>
          isWithin(target, folder) && !isWithin(path, folder) && target !== `${folder}/mod.ts`
        )
      )
      .map((target) => `${path} → ${target}`)
  );
  assertEquals(offences, []);
});

Deno.test("nothing that is deployed imports a proof", () => {
  const offences = sourcesBelow(
    "shared",
    "library/platform",
    "container",
    "edge",
    "library/client",
    "playground",
    "library/testing",
    "generated-templates",
  )
    .flatMap((file) =>
      file.imports.map((specifier) => resolveImport(file.path, specifier))
        .filter((target) => isWithin(target, "proof") || isWithin(target, "cli"))
        .map((target) => `${file.path} → ${target}`)
    );
  assertEquals(offences, []);
});

Deno.test("a process that has others compile loads no compiler", () => {
  const offences = ["container/main.ts", "edge/router_main.ts"].flatMap((entry) =>
    [...loadedBy(entry)].filter((target) => COMPILER.includes(target)).map((target) =>
      `${entry} → … → ${target}`
    )
  );
  assertEquals(offences, []);
});

const COMPILER = ["shared/compiler/mod.ts", "@babel/parser", "@babel/types", "recheck"];

Deno.test("nothing outside the tests imports a test", () => {
  const offences = sourcesBelow(
    "shared",
    "proof",
    "library/platform",
    "container",
    "edge",
    "cli",
    "playground",
    "library/testing",
    "generated-templates",
  )
    .flatMap((file) =>
      file.imports.map((specifier) => resolveImport(file.path, specifier))
        .filter((target) => isWithin(target, "tests"))
        .map((target) => `${file.path} → ${target}`)
    );
  assertEquals(offences, []);
});

Deno.test("importsOf() sees every form of import", () => {
  const text = [
    'import a from "one";',
    'import type { B } from "./two.ts";',
    "import {",
    "  c,",
    '} from "three/four";',
    'export * from "./five.ts";',
    'import "six";',
    'const late = await import("seven");',
  ].join("\n");
  assertEquals(importsOf(text), ["one", "./two.ts", "three/four", "./five.ts", "six", "seven"]);
});

function forbiddenImports(file: SourceFile, allowed: readonly string[]): string[] {
  return file.imports.map((specifier) => resolveImport(file.path, specifier))
    .filter((target) => !allowed.some((prefix) => isWithin(target, prefix)))
    .map((target) => `${file.path} → ${target}`);
}

/** Modules and packages that are loaded before the entry runs. */
function loadedBy(entry: string): ReadonlySet<string> {
  const texts = new Map(
    sourcesBelow("shared", "library/platform", "container", "edge").map((
      { path, text },
    ) => [path, text]),
  );
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const specifier of valueImportsOf(texts.get(path) ?? "")) {
      loaded.add(resolveImport(path, specifier));
    }
  }
  return loaded;
}

function isWithin(target: string, prefix: string): boolean {
  return target === prefix || target.startsWith(`${prefix}/`);
}

function isBehindFace(from: string, target: string): boolean {
  return FACES.some((face) =>
    isWithin(target, face) && !isWithin(from, face) && !isFaceOf(face, target)
  );
}

/** `mod.ts`, and the files of types or pure formatting that a host needs as they are. */
function isFaceOf(face: string, target: string): boolean {
  const rest = target.slice(face.length + 1);
  return !rest.includes("/") || rest.startsWith("diagnostics/");
}

function phaseOf(path: string): number | null {
  const match = /^shared\/compiler\/phases\/(\d)-/.exec(path);
  return match?.[1] === undefined ? null : Number(match[1]);
}

function layerOf(path: string): string | null {
  return /^shared\/runtime\/layers\/(\d-[a-z-]+)\//.exec(path)?.[1] ?? null;
}
