/** Ids of packages in a lock file: name, version, and the peers that the package was resolved with. */

/** `@libsql/client@0.18.0` → `@libsql/client`. */
export function nameOf(id: string): string {
  return id.slice(0, id.indexOf("@", 1));
}

/** With the peers: `1.7.5_zod@4.6.7`. */
export function versionOf(id: string): string {
  return id.slice(nameOf(id).length + 1);
}

/** `better-auth@1.7.5_zod@4.6.7` → `better-auth@1.7.5`. */
export function bareId(id: string): string {
  return /^@?[^@]+@[^_]+/.exec(id)?.[0] ?? id;
}

/** `_zod@4.6.7`, and with more underscores the peers of that peer; a `/` in a name is a `+`. */
const PEER = /(_+)(@?[^@_]+(?:_[^@_]+)*@[^_]+)/g;

interface Peer {
  /** As it stands in the id. */
  readonly text: string;
  /** 1 for a peer of the package itself, 2 for a peer of such a peer. */
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

/** An id without the peers that nobody brings. */
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
