/** What a compile makes of a lock that Deno has added to. */
import { assertEquals, assertNotEquals } from "@std/assert";
import {
  type DenoLock,
  denoLockText,
  type LockedPackage,
  readDenoLock,
} from "../../../shared/compiler/lock/deno_lock.ts";
import { keptLock } from "../../../shared/compiler/lock/kept_lock.ts";

/** `web` brings `core`, and may use `trace`. */
const OURS = lockText({
  specifiers: { "npm:web@2.0.0": "web@2.0.0" },
  packages: { "core@1.0.0": of("core-1"), "web@2.0.0": of("web-2", ["core@1.0.0"]) },
});

/** As Deno leaves it once the author's `tool` is there, which brings `part` and needs `web`. */
const GROWN = lockText({
  specifiers: { "npm:tool@^7": "tool@7.1.0_web@2.0.0", "npm:web@2.0.0": "web@2.0.0" },
  packages: {
    "core@1.0.0": of("core-1"),
    "part@3.0.0": of("part-3"),
    "tool@7.1.0_web@2.0.0": of("tool-7", ["part@3.0.0", "web@2.0.0"]),
    "web@2.0.0": of("web-2", ["core@1.0.0"]),
  },
});

/** The same with `trace`, which `web` takes where it is: its id says so. */
const WITH_PEER = lockText({
  specifiers: { "npm:trace@1": "trace@1.0.0", "npm:web@2.0.0": "web@2.0.0_trace@1.0.0" },
  packages: {
    "core@1.0.0": of("core-1"),
    "trace@1.0.0": of("trace-1"),
    "web@2.0.0_trace@1.0.0": of("web-2", ["core@1.0.0", "trace@1.0.0"], ["trace@1.0.0"]),
  },
});

const WEB = { web: "npm:web@2.0.0", local: "./src/mod.ts" };
const WITH_TOOL = { ...WEB, tool: "npm:tool@^7" };
const WITH_TRACE = { ...WEB, trace: "npm:trace@1/api" };

const KEPT: readonly { readonly what: string; readonly given: Given; readonly gives: string }[] = [
  {
    what: "stays when the author's packages are all that is new",
    given: tool(GROWN),
    gives: GROWN,
  },
  {
    what: "stays when one of them is a peer of ours",
    given: { present: WITH_PEER, imports: WITH_TRACE },
    gives: WITH_PEER,
  },
  { what: "stays when nothing was added yet", given: tool(OURS), gives: OURS },
  {
    what: "is written anew when the author has no packages any more",
    given: { present: GROWN, imports: WEB },
    gives: OURS,
  },
  {
    what: "loses a package that the author no longer has",
    given: { present: GROWN, imports: WITH_TRACE },
    gives: OURS,
  },
  {
    what: "gets its peers back as they were emitted when it has others of ours",
    given: tool(GROWN.replace("core-1", "other")),
    gives: GROWN,
  },
  {
    what: "gets back what somebody took out of it",
    given: tool(GROWN.replace(',\n      "dependencies": [\n        "core"\n      ]', "")),
    gives: GROWN,
  },
  {
    what: "loses what somebody let one of ours bring",
    given: tool(GROWN.replace('"core"\n', '"core",\n        "part"\n')),
    gives: GROWN,
  },
];

for (const { what, given, gives } of KEPT) {
  Deno.test(`a lock ${what}`, () => {
    assertEquals(keptLock({ emitted: OURS, ...given }), gives);
  });
}

Deno.test("versions of the author's packages outlive a new version of ours", () => {
  const newer = OURS.replaceAll("web@2.0.0", "web@2.1.0").replace(
    '@2.1.0": "2.0.0"',
    '@2.1.0": "2.1.0"',
  );
  const plain = GROWN.replaceAll("tool@7.1.0_web@2.0.0", "tool@7.1.0")
    .replace('"7.1.0_web@2.0.0"', '"7.1.0"').replace(',\n        "web"', "");
  assertNotEquals(readDenoLock(plain), null);
  const kept = keptLock({
    emitted: newer,
    present: plain,
    imports: { web: "npm:web@2.1.0", tool: "npm:tool@^7" },
  });
  const lock = readDenoLock(kept ?? "");
  assertEquals([...lock?.packages.keys() ?? []], [
    "core@1.0.0",
    "part@3.0.0",
    "tool@7.1.0",
    "web@2.1.0",
  ]);
  assertEquals(lock?.specifiers.get("npm:tool@^7"), "tool@7.1.0");
});

Deno.test("an author's package that was resolved with an older version of ours is resolved anew", () => {
  const newer = OURS.replaceAll("web@2.0.0", "web@2.1.0").replace(
    '@2.1.0": "2.0.0"',
    '@2.1.0": "2.1.0"',
  );
  const imports = { web: "npm:web@2.1.0", tool: "npm:tool@^7" };
  assertEquals(keptLock({ emitted: newer, present: GROWN, imports }), newer);
});

Deno.test("what is no lock file is not kept, and not thrown away either", () => {
  for (const present of ["", "{}", "{", '{ "version": "3" }']) {
    assertEquals(keptLock({ emitted: OURS, ...tool(present) }), null, present);
  }
});

interface Given {
  readonly present: string;
  readonly imports: Readonly<Record<string, string>>;
}

function tool(present: string): Given {
  return { present, imports: WITH_TOOL };
}

function of(
  name: string,
  dependencies: readonly string[] = [],
  optionalPeers: readonly string[] = [],
): LockedPackage {
  const edges = (ids: readonly string[]) =>
    ids.map((id) => ({ name: id.slice(0, id.indexOf("@")), id }));
  return {
    integrity: `sha512-${name}`,
    dependencies: edges(dependencies),
    optionalDependencies: [],
    optionalPeers: edges(optionalPeers),
    facts: {},
  };
}

function lockText(
  { specifiers, packages }: {
    readonly specifiers: Readonly<Record<string, string>>;
    readonly packages: Readonly<Record<string, LockedPackage>>;
  },
): string {
  const lock: DenoLock = {
    specifiers: new Map(Object.entries(specifiers)),
    packages: new Map(Object.entries(packages)),
  };
  return denoLockText(lock);
}
