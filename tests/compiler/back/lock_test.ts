/** The lock file of an output: the repository's own versions, and nothing that only the repository needs. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { readCompileHost } from "../../../container/host.ts";
import { denoLockText, readDenoLock } from "../../../shared/compiler/lock/deno_lock.ts";
import { lockOf } from "../../../shared/compiler/lock/lock_of.ts";
import { compile, type DenoLock, type RawFiles } from "../../../shared/compiler/mod.ts";

const HOST = readCompileHost({ version: "0.0.0" });
const REPOSITORY = Deno.readTextFileSync(new URL("../../../deno.lock", import.meta.url));

Deno.test("denoLockText() writes a lock as Deno does", () => {
  const text = denoLockText(readLock(REPOSITORY));
  assertEquals(beforeWorkspace(text), beforeWorkspace(REPOSITORY));
  assert(text.endsWith("}\n"));
});

function beforeWorkspace(text: string): string | undefined {
  return text.split('  "workspace": {')[0];
}

Deno.test("readDenoLock() refuses what is no lock file, and one that does not fit together", () => {
  const texts = [
    "",
    "[]",
    "{}",
    '{ "version": "4" }',
    '{ "version": "5", "specifiers": { "npm:a@1": "1.0.0" } }',
    '{ "version": "5", "npm": { "a@1.0.0": {} } }',
    '{ "version": "5", "npm": { "a@1.0.0": { "integrity": "x", "dependencies": ["b"] } } }',
    '{ "version": "5", "npm": { "a@1.0.0": { "integrity": "x", "dependencies": "a" } } }',
    '{ "version": "5", "npm": { "a@1.0.0": { "integrity": "x", "dependencies": [1] } } }',
  ];
  for (const text of texts) assertEquals(readDenoLock(text), null, text);
});

/** `app` brings `base`, may use `view` and `trace`, and is also there under another name. */
const SMALL = `{
  "version": "5",
  "specifiers": {
    "npm:app@1": "1.0.0_base@2.0.0__trace@4.0.0_trace@4.0.0_view@3.0.0",
    "npm:base@2": "2.0.0_trace@4.0.0",
    "npm:trace@4": "4.0.0",
    "npm:view@3": "3.0.0"
  },
  "npm": {
    "app@1.0.0_base@2.0.0__trace@4.0.0_trace@4.0.0_view@3.0.0": {
      "integrity": "sha512-app",
      "dependencies": [
        "base",
        "old-leaf@npm:leaf@1.0.0",
        "trace",
        "view"
      ],
      "optionalDependencies": [
        "leaf@2.0.0"
      ],
      "optionalPeers": [
        "trace",
        "view"
      ],
      "scripts": true
    },
    "base@2.0.0_trace@4.0.0": {
      "integrity": "sha512-base",
      "dependencies": [
        "trace"
      ],
      "optionalPeers": [
        "trace"
      ]
    },
    "leaf@1.0.0": {
      "integrity": "sha512-leaf-1"
    },
    "leaf@2.0.0": {
      "integrity": "sha512-leaf-2",
      "os": ["darwin", "linux"],
      "cpu": ["x64"]
    },
    "trace@4.0.0": {
      "integrity": "sha512-trace"
    },
    "view@3.0.0": {
      "integrity": "sha512-view"
    }
  },
  "workspace": {
    "dependencies": [
      "npm:app@1",
      "npm:base@2",
      "npm:trace@4",
      "npm:view@3"
    ]
  }
}
`;

Deno.test("lockOf() keeps everything for everything", () => {
  const all = ["npm:app@1", "npm:base@2/inside.js", "npm:trace@4", "npm:view@3"];
  assertEquals(denoLockText(lockOf(all, readLock(SMALL))), SMALL);
});

Deno.test("readDenoLock() passes over packages of other registries", () => {
  const text = SMALL.replace('"npm:app@1"', '"jsr:@std/assert@1": "1.0.0",\n    "npm:app@1"');
  assertEquals(readLock(text), readLock(SMALL));
});

Deno.test("lockOf() leaves out peers that nobody brings, and takes them out of the ids", () => {
  const lock = lockOf(["npm:app@1", "npm:view@3"], readLock(SMALL));
  assertEquals([...lock.specifiers], [["npm:app@1", "app@1.0.0_base@2.0.0_view@3.0.0"], [
    "npm:view@3",
    "view@3.0.0",
  ]]);
  assertEquals([...lock.packages.keys()].sort(), [
    "app@1.0.0_base@2.0.0_view@3.0.0",
    "base@2.0.0",
    "leaf@1.0.0",
    "leaf@2.0.0",
    "view@3.0.0",
  ]);
  const app = lock.packages.get("app@1.0.0_base@2.0.0_view@3.0.0");
  assertEquals(app?.dependencies, [
    { name: "base", id: "base@2.0.0" },
    { name: "old-leaf", id: "leaf@1.0.0" },
    { name: "view", id: "view@3.0.0" },
  ]);
  assertEquals(app?.optionalPeers, [{ name: "view", id: "view@3.0.0" }]);
  assertEquals(app?.facts, { scripts: true });
});

Deno.test("lockOf() refuses a package that the lock does not have", () => {
  assertThrows(() => lockOf(["npm:app@2"], readLock(SMALL)), Error, "does not have 'npm:app@2'");
});

Deno.test("every package of an output is the repository's own, but for the documentation browser and us", () => {
  const known = new Map(
    [...readLock(REPOSITORY).packages].map(([id, { integrity }]) => [bare(id), integrity]),
  );
  const other = [...HOST.lock.packages]
    .filter(([id, { integrity }]) => known.get(bare(id)) !== integrity).map(([id]) => bare(id));
  assertEquals(other.map((id) => id.replace(/@[\d.]+$/, "")), [
    "@scalar/api-reference",
    "quickback",
  ]);
  assert(HOST.lock.packages.size > 100);
});

Deno.test("an output has none of the repository's tools", () => {
  const names = new Set(
    [...HOST.lock.packages.keys()].map((id) => bare(id).replace(/@[^@]+$/, "")),
  );
  for (const name of ["typescript", "workerd", "playwright-core", "esbuild", "vue", "svelte"]) {
    assertEquals(names.has(name), false, name);
  }
});

Deno.test("an output's lock has what its deno.json imports, without the author's dependencies", () => {
  const plain = outputOf({});
  const own = outputOf({ stripe: "^17", "@acme/tools": "1.x" });
  assertEquals(own.lock, plain.lock);
  assertEquals(
    packagesOf(own.config.imports),
    [
      "npm:@acme/tools@1.x",
      ...packagesOf(plain.config.imports),
      "npm:stripe@^17",
    ].sort(),
  );
  assertEquals([...readLock(plain.lock).specifiers.keys()], packagesOf(plain.config.imports));
});

Deno.test("a project has the packages of the documentation browser that it serves", () => {
  const browsers = ["@scalar/api-reference", "@scarf/scarf", "swagger-ui-dist"];
  const locked = (docs: string) => {
    const { lock, config } = outputOf({}, `openapi: { docs: ${docs} },`);
    const ids = [...readLock(lock).packages.keys()].map(bare);
    return {
      packages: browsers.filter((name) => ids.some((id) => id.startsWith(`${name}@`))),
      denied: config.allowScripts?.deny,
    };
  };
  assertEquals(locked("false"), { packages: [], denied: undefined });
  assertEquals(locked('"browser_modern"'), { packages: browsers.slice(0, 1), denied: undefined });
  assertEquals(locked('"browser_classic"'), {
    packages: browsers.slice(1),
    denied: ["npm:@scarf/scarf"],
  });
});

interface Output {
  readonly lock: string;
  readonly config: {
    readonly imports: Readonly<Record<string, string>>;
    readonly allowScripts?: { readonly deny: readonly string[] };
  };
}

function outputOf(dependencies: Readonly<Record<string, string>>, more = ""): Output {
  const config = `export default {
  name: "locked",
  ${more}
  build: { dependencies: ${JSON.stringify(dependencies)} },
};\n`;
  const files: RawFiles = { "quickback/quickback.config.ts": config };
  const result = compile(files, HOST);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join("\n"));
  const text = (path: string) => result.files.find((file) => file.path === path)?.content ?? "";
  return { lock: text("deno.lock"), config: JSON.parse(text("deno.json")) };
}

function packagesOf(imports: Output["config"]["imports"]): readonly string[] {
  const targets = Object.values(imports).filter((target) => target.startsWith("npm:"));
  // A module of a package, as `npm:@libsql/client@0.18.0/web`, is the package's.
  const packages = targets.map((target) =>
    target.replace(/^(npm:(?:@[^/]+\/)?[^@/][^/]*)\/.*$/, "$1")
  );
  return [...new Set(packages)].sort();
}

function bare(id: string): string {
  return /^@?[^@]+@[^_]+/.exec(id)?.[0] ?? id;
}

function readLock(text: string): DenoLock {
  const lock = readDenoLock(text);
  if (lock === null) throw new Error("No lock file");
  return lock;
}
