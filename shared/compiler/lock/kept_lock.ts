/**
 * Merges the lock of a compile with the existing one. Deno has added the author's own dependencies to that, and they keep their
 * versions (docs/decisions/commands.md).
 */
import type { DenoLock, Dependency, LockedPackage } from "./deno_lock.ts";
import { bareId, denoLockText, nameOf, peersOf, readDenoLock } from "./deno_lock.ts";
import { packageSpecifier } from "./lock_of.ts";

/** Returns the merged lock; null when the existing file is no readable lock file. */
export function keptLock({ emitted, present, imports }: {
  /** The lock file of this compile. */
  readonly emitted: string;
  /** The lock file that is in the output folder. */
  readonly present: string;
  /** Imports of the output's `deno.json`: name → target. */
  readonly imports: Readonly<Record<string, string>>;
}): string | null {
  const ours = readDenoLock(emitted);
  const theirs = readDenoLock(present);
  if (ours === null) throw new Error("The emitted lock file cannot be read");
  if (theirs === null) return null;
  const { specifiers } = ours;
  const targets = Object.values(imports).filter((target) => target.startsWith("npm:"));
  const own = new Set(
    targets.map(packageSpecifier).filter((one) => !specifiers.has(one)).map(packageName),
  );
  if (own.size > 0 && extendsLock(theirs, ours, own)) return present;
  return denoLockText(withOwn(ours, theirs, own));
}

function packageName(specifier: string): string {
  return nameOf(specifier.slice("npm:".length));
}

/** Returns a lock with all of quickback's entries, and those of the other lock that the author's packages need. */
function extendsLock(
  theirs: DenoLock,
  ours: DenoLock,
  own: ReadonlySet<string>,
): boolean {
  const variants = Map.groupBy(theirs.packages.keys(), bareId);
  const holdsSpecifiers = [...ours.specifiers].every(([specifier, id]) =>
    bareId(theirs.specifiers.get(specifier) ?? "") === bareId(id)
  );
  return holdsSpecifiers &&
    [...theirs.specifiers.keys()].every((specifier) =>
      ours.specifiers.has(specifier) || own.has(packageName(specifier))
    ) &&
    [...ours.packages].every(([id, one]) => {
      const same = variants.get(bareId(id)) ?? [];
      return same.length > 0 && same.every((variant) => isSame(one, theirs.packages.get(variant)));
    });
}

/** True when both entries are equal, except for optional peers that an author's package installed. */
function isSame(ours: LockedPackage, theirs: LockedPackage | undefined): boolean {
  if (theirs === undefined || ours.integrity !== theirs.integrity) return false;
  const [mine, others] = [edgesOf(ours.dependencies), edgesOf(theirs.dependencies)];
  const optional = edgesOf(theirs.optionalPeers);
  return JSON.stringify(ours.facts) === JSON.stringify(theirs.facts) &&
    mine.isSubsetOf(others) && others.difference(mine).isSubsetOf(optional) &&
    edgesOf(ours.optionalDependencies).symmetricDifference(edgesOf(theirs.optionalDependencies))
        .size === 0;
}

function edgesOf(list: readonly Dependency[]): Set<string> {
  return new Set(list.map(({ name, id }) => `${name} ${bareId(id)}`));
}

/**
 * Returns quickback's lock with the author's packages as they are in the other one. Packages that depend on changed entries are
 * resolved anew.
 */
function withOwn(
  ours: DenoLock,
  theirs: DenoLock,
  own: ReadonlySet<string>,
): DenoLock {
  const ids = new Map([...ours.packages.keys()].map((id) => [bareId(id), id]));
  const names = new Set([...ours.packages.keys()].map(nameOf));
  const idOf = (id: string) => ids.get(bareId(id)) ?? id;
  const specifiers = new Map(ours.specifiers);
  const packages = new Map(ours.packages);
  for (const [specifier, root] of theirs.specifiers) {
    if (ours.specifiers.has(specifier) || !own.has(packageName(specifier))) continue;
    const needed = new Map<string, LockedPackage>();
    const pending = [root];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const one = theirs.packages.get(id);
      if (one === undefined || needed.has(id)) continue;
      needed.set(id, one);
      pending.push(...[...one.dependencies, ...one.optionalDependencies].map((edge) => edge.id));
    }
    const hangsOnOther = [...needed.keys()].flatMap(peersOf)
      .some((peer) => names.has(nameOf(peer.bareId)) && !ids.has(peer.bareId));
    if (hangsOnOther) continue;
    specifiers.set(specifier, idOf(root));
    for (const [id, one] of needed) {
      if (!ids.has(bareId(id))) {
        const rename = (list: readonly Dependency[]) =>
          list.map(({ name, id }) => ({ name, id: idOf(id) }));
        packages.set(id, {
          ...one,
          dependencies: rename(one.dependencies),
          optionalDependencies: rename(one.optionalDependencies),
          optionalPeers: rename(one.optionalPeers),
        });
      }
    }
  }
  return { specifiers, packages };
}
