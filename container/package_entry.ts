/** The published package as it appears in the lock of an output that depends on it (docs/decisions/package.md). */
import { dirname, join } from "node:path";
import { ifThere } from "../library/platform/if_there.ts";
import type { DenoLock } from "../shared/compiler/front.ts";
import {
  bareId,
  PACKAGE,
  PACKAGE_SPECIFIER,
  readDenoLock,
  SHARED_PACKAGES,
  VERSION,
} from "../shared/compiler/front.ts";
import { isJsonObject, parsedJson } from "../shared/lib/json.ts";

/**
 * Packages that the runtime loads as separate packages: those shared with authors, native ones, and those that few outputs
 * need.
 */
export const RUNTIME_PACKAGES = [
  ...SHARED_PACKAGES,
  "@fastify/busboy",
  "libsql",
  "nodemailer",
  "prom-client",
  "redis",
];

/**
 * Adds the package to a lock, without the parts that only the command line needs. `pins` are npm specifiers by bare name.
 * `integrity` is that of the package's archive; null: unknown.
 */
export function withPackage(
  lock: DenoLock,
  pins: ReadonlyMap<string, string>,
  integrity: string | null,
): DenoLock {
  const id = `${PACKAGE}@${VERSION}`;
  const dependencies = RUNTIME_PACKAGES.map((name) => {
    const dependency = lock.specifiers.get(pins.get(name) ?? "");
    if (dependency === undefined) throw new Error(`The lock file does not have '${name}'`);
    return { name, id: dependency };
  });
  const entry = { integrity, dependencies, optionalDependencies: [], optionalPeers: [], facts: {} };
  return {
    specifiers: new Map([...lock.specifiers, [PACKAGE_SPECIFIER, id]]),
    packages: new Map([...lock.packages, [id, entry]]),
  };
}

/**
 * Returns the integrity of the installed package's archive, as npm or Deno recorded it beside the package or in a program's
 * lock; null if neither did. `folder` is the installed package.
 */
export async function packageIntegrity(folder: string): Promise<string | null> {
  const [, project = "", path = ""] = /^(.*)(node_modules[\\/].+)$/.exec(folder) ?? [];
  const noted = [
    [
      join(project, "node_modules/.package-lock.json"),
      ["packages", path.replaceAll("\\", "/"), "integrity"],
    ],
    [join(dirname(folder), "registry.json"), ["versions", VERSION, "dist", "integrity"]],
  ] as const;
  for (const [file, keys] of noted) {
    const value = keys.reduce<unknown>(
      (value, key) => isJsonObject(value) ? value[key] : undefined,
      parsedJson(await ifThere(Deno.readTextFile(file)) ?? ""),
    );
    const integrity = typeof value === "string" ? value : null;
    if (integrity !== null) return integrity;
  }
  return await lockedIntegrity(folder);
}

/** Reads the lock that `deno install -g` keeps beside the folder of the program's packages. */
async function lockedIntegrity(folder: string): Promise<string | null> {
  const [, program] = /^(.*?)[\\/]node_modules[\\/]/.exec(folder) ?? [];
  if (program === undefined) return null;
  const lock = readDenoLock(await ifThere(Deno.readTextFile(join(program, "deno.lock"))) ?? "");
  const found = [...lock?.packages ?? []].find(([id]) => bareId(id) === `${PACKAGE}@${VERSION}`);
  return found?.[1].integrity ?? null;
}
