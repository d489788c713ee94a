/** Selects the part of a lock that an import map needs, so that a project gets only its own packages. */
import type { DenoLock, Dependency, LockedPackage } from "./deno_lock.ts";
import { bareId, withPeersAmong } from "./deno_lock.ts";

/** Returns that part. Throws if the lock lacks one of the specifiers, which a project would then resolve anew. */
export function lockOf(imports: readonly string[], lock: DenoLock): DenoLock {
  const specifiers = new Map(
    imports.map((specifier) => {
      const wanted = packageSpecifier(specifier);
      const id = lock.specifiers.get(wanted);
      if (id === undefined) throw new Error(`The lock file does not have '${wanted}'`);
      return [wanted, id] as const;
    }),
  );
  // All packages that the roots need, directly or through others. An optional peer does not count as
  // needed.
  const kept = new Map<string, LockedPackage>();
  const pending = [...specifiers.values()];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const one = lock.packages.get(id);
    if (one === undefined) throw new Error(`The lock file does not have '${id}'`);
    if (kept.has(id)) continue;
    kept.set(id, one);
    const optional = new Set(one.optionalPeers.map(({ name }) => name));
    const hard = one.dependencies.filter(({ name }) => !optional.has(name));
    pending.push(...[...hard, ...one.optionalDependencies].map((dependency) => dependency.id));
  }
  const present = new Set([...kept.keys()].map(bareId));
  const idOf = (id: string) => withPeersAmong(present, id);
  const packages = new Map(
    [...kept].map(([id, one]) => {
      const trim = (list: readonly Dependency[]) =>
        list.filter(({ id }) => kept.has(id)).map(({ name, id }) => ({ name, id: idOf(id) }));
      return [idOf(id), {
        ...one,
        dependencies: trim(one.dependencies),
        optionalDependencies: trim(one.optionalDependencies),
        optionalPeers: trim(one.optionalPeers),
      }] as const;
    }),
  );
  if (packages.size < kept.size) throw new Error("Two packages of the lock differ in peers alone");
  return {
    specifiers: new Map([...specifiers].map(([specifier, id]) => [specifier, idOf(id)])),
    packages,
  };
}

const SPECIFIER = /^(npm:(?:@[^/]+\/)?[^/@]+@[^/]+)(?:\/.*)?$/;

/** True when the lock has this target of an import map; a target that is a file is never in it. */
export function isLocked(target: string, { specifiers }: DenoLock): boolean {
  return specifiers.has(packageSpecifier(target));
}

/** Returns the specifier of a target's package: `npm:@libsql/client@0.18.0` for `npm:@libsql/client@0.18.0/web`. */
export function packageSpecifier(target: string): string {
  return SPECIFIER.exec(target)?.[1] ?? target;
}
