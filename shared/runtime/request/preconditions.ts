/**
 * `If-Match` and `If-None-Match` (RFC 9110, 8.8.3, 13.1): lists of entity tags, or `*`. A header that is neither matches
 * nothing, so a conditional write is refused and a conditional read is answered whole.
 */
import { HEADERS } from "../../contract/headers.ts";

interface EntityTag {
  readonly isWeak: boolean;
  /** Without its quotes. */
  readonly opaque: string;
}

/** RFC 9110, 8.8.3: `etagc` excludes the quote, controls and the space. */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const SEPARATOR = /[ \t]*,[ \t,]*/y;

/** Of a revision; what follows the hyphen says how much of the record its reader saw. */
const REVISION = /^(\d+)(?:(?:-[0-9a-z]+){3})?$/;

/** True when `If-Match` names this revision, whoever read it. Weak tags never do (RFC 9110, 13.1.1). */
export function matchesRevision(ifMatch: string, revision: number): boolean {
  if (ifMatch.trim() === "*") return true;
  return tagsOf(ifMatch).some(({ isWeak, opaque }) =>
    !isWeak && REVISION.exec(opaque)?.[1] === String(revision)
  );
}

/** True when the caller holds the representation with this tag, compared weakly (RFC 9110, 13.1.2). */
export function holdsTag(headers: Headers, tag: string): boolean {
  const header = headers.get(HEADERS.ifNoneMatch);
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const [own] = tagsOf(tag);
  return tagsOf(header).some(({ opaque }) => opaque === own?.opaque);
}

/** None for a text that is no list of tags. */
function tagsOf(header: string): readonly EntityTag[] {
  const text = header.trim();
  const tags: EntityTag[] = [];
  for (let at = 0; at < text.length;) {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (!match) return [];
    tags.push({ isWeak: match[1] !== undefined, opaque: match[2] ?? "" });
    at = TAG.lastIndex;
    if (at === text.length) break;
    SEPARATOR.lastIndex = at;
    if (!SEPARATOR.test(text)) return [];
    at = SEPARATOR.lastIndex;
  }
  return tags;
}
