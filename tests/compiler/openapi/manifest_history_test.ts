/**
 * The manifests only ever grow (contract 4.7, 9.3): whatever their last version says, they still say. `expected/` keeps that
 * version; `UPDATE_GOLDEN=1` writes it anew, but only while the new one says all that the old one did.
 */
import { assert, assertEquals } from "@std/assert";
import { emitConformanceManifest } from "../../../shared/oracle/manifest.ts";
import { emitOperationsManifest } from "../../../shared/compiler/phases/6-emit/operations_manifest.ts";
import { describedProjects } from "../../support/described_projects.ts";

type Entry = Readonly<Record<string, unknown>>;

const { clinicV2, notes } = await describedProjects();

const MANIFESTS: readonly (readonly [
  file: string,
  emitted: string,
  key: (entry: Entry) => string,
  isKept: (entry: Entry) => boolean,
])[] = [
  ["operations.manifest.json", emitOperationsManifest(clinicV2), keyOfOperation, () => true],
  [
    "conformance.manifest.json",
    emitConformanceManifest(notes),
    (entry) => `${keyOfOperation(entry)} ${entry["principal"]}`,
    ({ path }) => String(path).startsWith("/api/v1/"),
  ],
];

function keyOfOperation({ operationId }: Entry): string {
  return String(operationId);
}

for (const [file, emitted, key, isKept] of MANIFESTS) {
  Deno.test(`${file} says all that its last version said`, async () => {
    const url = new URL(`expected/${file}`, import.meta.url);
    const before: readonly Entry[] = JSON.parse(await Deno.readTextFile(url));
    const now: readonly Entry[] = JSON.parse(emitted);
    assert(before.length > 0);
    assertEquals(losses(before, new Map(now.map((entry) => [key(entry), entry])), key), []);
    if (Deno.env.get("UPDATE_GOLDEN") !== "1") return;
    await Deno.writeTextFile(url, `${JSON.stringify(now.filter(isKept), null, 2)}\n`);
  });
}

Deno.test("a manifest that drops an entry, drops a member, or changes one is found", () => {
  const auth = { roles: ["x"], required: true };
  const entry = { operationId: "a", method: "GET", auth };
  const lost = (now: Entry) =>
    losses([entry], new Map([[keyOfOperation(now), now]]), keyOfOperation);
  assertEquals(lost(entry), []);
  assertEquals(lost({ ...entry, auth: { roles: ["x"], required: true, more: 1 }, more: 1 }), []);
  assertEquals(lost({ ...entry, operationId: "b" }), ["a is gone"]);
  assertEquals(lost({ operationId: "a", auth }), ["a.method is gone"]);
  assertEquals(lost({ ...entry, method: "PUT" }), ['a.method: "GET" → "PUT"']);
  assertEquals(lost({ ...entry, auth: { roles: ["x", "y"], required: true } }), [
    'a.auth.roles: ["x"] → ["x","y"]',
  ]);
  assertEquals(lost({ ...entry, auth: { roles: ["x"] } }), ["a.auth.required is gone"]);
});

function losses(
  before: readonly Entry[],
  now: ReadonlyMap<string, Entry>,
  key: (entry: Entry) => string,
): readonly string[] {
  return before.flatMap((entry) => lossesIn(entry, now.get(key(entry)), key(entry)));
}

/** Members may come; those that are there keep their values. */
function lossesIn(before: unknown, now: unknown, place: string): readonly string[] {
  if (now === undefined) return [`${place} is gone`];
  if (isObject(before) && isObject(now)) {
    return Object.entries(before).flatMap(([name, value]) =>
      lossesIn(value, now[name], `${place}.${name}`)
    );
  }
  const [old, other] = [JSON.stringify(before), JSON.stringify(now)];
  return old === other ? [] : [`${place}: ${old} → ${other}`];
}

function isObject(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
