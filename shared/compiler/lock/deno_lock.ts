/**
 * Reads and writes Deno's lock file, format 5, which fixes the exact packages of an import map's specifiers (definitions 7,
 * "files of an output").
 */
import { PACKAGE } from "../../contract/mod.ts";
import { compareText } from "../../lib/texts.ts";
import { isJsonObject, jsonFile, type JsonObject, parsedJson } from "../../lib/json.ts";

export interface DenoLock {
  /** Ids of packages by specifier: `npm:zod@^4` has `zod@4.6.7`. */
  readonly specifiers: ReadonlyMap<string, string>;
  /** Packages by id: name, version, and the peers that it was resolved with. */
  readonly packages: ReadonlyMap<string, LockedPackage>;
}

export interface LockedPackage {
  /**
   * Hash of the archive; null for quickback's own package when its archive is unknown. The registry's value is then accepted.
   */
  readonly integrity: string | null;
  readonly dependencies: readonly Dependency[];
  readonly optionalDependencies: readonly Dependency[];
  /** Dependencies that another package installed. */
  readonly optionalPeers: readonly Dependency[];
  /** All other members, unchanged. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** One entry of a package's dependencies: the name it imports, and the package behind it. */
export interface Dependency {
  readonly name: string;
  readonly id: string;
}

const VERSION = "5";

/** Returns the lock; null if the text is no lock file of this format, or is inconsistent. */
export function readDenoLock(text: string): DenoLock | null {
  const value = parsedJson(text);
  if (!isJsonObject(value) || value.version !== VERSION) return null;
  const packages = readPackages(isJsonObject(value.npm) ? value.npm : {});
  if (packages === null) return null;
  const specifiers = new Map<string, string>();
  const listed = isJsonObject(value.specifiers) ? Object.entries(value.specifiers) : [];
  for (const [specifier, version] of listed) {
    // Other programs in the folder may have added packages of another registry.
    if (!specifier.startsWith(NPM)) continue;
    const id = `${nameOf(specifier.slice(NPM.length))}@${version}`;
    if (!packages.has(id)) return null;
    specifiers.set(specifier, id);
  }
  return { specifiers, packages };
}

const NPM = "npm:";

function readPackages(npm: JsonObject): ReadonlyMap<string, LockedPackage> | null {
  const ids = idsByName(Object.keys(npm));
  const packages = new Map<string, LockedPackage>();
  for (const [id, entry] of Object.entries(npm)) {
    const one = readPackage(entry, { ids, npm });
    if (one === null || one.integrity === null && nameOf(id) !== PACKAGE) return null;
    packages.set(id, one);
  }
  return packages;
}

interface Names {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly npm: JsonObject;
}

function readPackage(entry: unknown, names: Names): LockedPackage | null {
  if (!isJsonObject(entry)) return null;
  const { integrity, dependencies, optionalDependencies, optionalPeers, ...facts } = entry;
  const lists = [dependencies, optionalDependencies, optionalPeers].map((list) =>
    readDependencies(list, names)
  );
  const [hard, optional, peers] = lists;
  if (integrity !== undefined && typeof integrity !== "string") return null;
  if (!hard || !optional || !peers) return null;
  return {
    integrity: integrity ?? null,
    dependencies: hard,
    optionalDependencies: optional,
    optionalPeers: peers,
    facts,
  };
}

function readDependencies(list: unknown, names: Names): readonly Dependency[] | null {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return null;
  const read = list.map((text: unknown) => {
    // Parses a dependency: `zod` if only one package has that name, else `zod@3.25.0`, or an alias `zod3@npm:zod@3.25.0`.
    if (typeof text !== "string") return null;
    const [, alias, target = text] = ALIAS.exec(text) ?? [];
    const single = names.ids.get(target);
    const id = single?.length === 1 ? single[0] : target;
    if (id === undefined || !Object.hasOwn(names.npm, id)) return null;
    return { name: alias ?? nameOf(id), id };
  });
  return read.every((one) => one !== null) ? read : null;
}

const ALIAS = /^(@?[^@]+)@npm:(.+)$/;

/** Formats the lock as Deno does, so that a start without new packages does not change it. */
export function denoLockText({ specifiers, packages }: DenoLock): string {
  const ids = idsByName([...packages.keys()]);
  const names = [...specifiers.keys()].sort(compareText);
  const versions = names.map((name) => {
    const id = specifiers.get(name) ?? "";
    // The version includes the peers: `1.7.5_zod@4.6.7`.
    return [name, id.slice(nameOf(id).length + 1)];
  });
  const entries = [...packages].sort(([a], [b]) => compareText(a, b))
    .map(([id, one]) => [id, packageJson(one, ids)]);
  // Deno leaves out empty members.
  const content = {
    specifiers: Object.fromEntries(versions),
    npm: Object.fromEntries(entries),
    workspace: { dependencies: names },
  };
  const value = { version: VERSION, ...(names.length > 0 ? content : {}) };
  return jsonFile(value).replace(
    SHORT_LIST,
    (list) => list.replace(/\[\s+/, "[").replace(/\s+\]/, "]").replace(/,\s+/g, ", "),
  );
}

/** Matches lists of platforms, which Deno writes on one line. */
const SHORT_LIST = /"(?:os|cpu)": \[[^\]]*\]/g;

const FACTS = ["os", "cpu", "deprecated", "scripts", "bin", "tarball"];

function packageJson(one: LockedPackage, ids: Names["ids"]): Record<string, unknown> {
  const { integrity, dependencies, optionalDependencies, optionalPeers, facts } = one;
  const lists = { dependencies, optionalDependencies, optionalPeers };
  return {
    ...(integrity === null ? {} : { integrity }),
    ...Object.fromEntries(
      Object.entries(lists).filter(([, list]) => list.length > 0)
        .map(([key, list]) => [
          key,
          list.toSorted((a, b) => compareText(a.name, b.name)).map(({ name, id }) => {
            if (nameOf(id) !== name) return `${name}@npm:${id}`;
            return ids.get(name)?.length === 1 ? name : id;
          }),
        ]),
    ),
    ...Object.fromEntries(
      FACTS.filter((key) => facts[key] !== undefined).map((key) => [key, facts[key]]),
    ),
  };
}

function idsByName(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(ids, nameOf);
}

/** Parses ids of packages in a lock file: name, version, and the peers that the package was resolved with. */

/** Returns the name of an id: `@libsql/client` for `@libsql/client@0.18.0`. */
export function nameOf(id: string): string {
  return id.slice(0, id.indexOf("@", 1));
}

/** Returns an id without peers: `better-auth@1.7.5` for `better-auth@1.7.5_zod@4.6.7`. */
export function bareId(id: string): string {
  return /^@?[^@]+@[^_]+/.exec(id)?.[0] ?? id;
}

/** Matches a peer: `_zod@4.6.7`. Peers of that peer follow with more underscores; `+` replaces a `/` in a name. */
const PEER = /(_+)(@?[^@_]+(?:_[^@_]+)*@[^_]+)/g;

interface Peer {
  /** Text of the peer in the id. */
  readonly text: string;
  /** Depth of the peer: 1 for a peer of the package itself, 2 for a peer of such a peer. */
  readonly depth: number;
  readonly bareId: string;
}

export function peersOf(id: string): readonly Peer[] {
  return [...id.slice(bareId(id).length).matchAll(PEER)].map(
    ([text, { length: depth } = "", peer = ""]) => ({
      text,
      depth,
      bareId: peer.replace("+", "/"),
    }),
  );
}

/** Returns an id without the peers that are not installed. */
export function withPeersAmong(present: ReadonlySet<string>, id: string): string {
  let absentDepth = Infinity;
  let kept = bareId(id);
  for (const peer of peersOf(id)) {
    if (peer.depth > absentDepth) continue;
    const isPresent = present.has(peer.bareId);
    absentDepth = isPresent ? Infinity : peer.depth;
    if (isPresent) kept += peer.text;
  }
  return kept;
}
