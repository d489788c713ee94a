/**
 * Seals cursors for clients (definitions 7 "Cursors", traps 2): places in an order, encrypted and authenticated with a key of
 * their own, and valid only where they were made.
 */
import { memo } from "../../lib/memo.ts";
import { requireStrongSecret } from "../../lib/variables.ts";
import type { Secrets, SqlValue } from "../ports.ts";

/** A record's place in a list. */
export interface Position {
  /** Count of the records before it when the page was answered: page numbers count on from it. */
  readonly index: number;
  /** The values of its sort keys; or its id alone, where they are too long for a cursor. */
  readonly place:
    | { readonly kind: "values"; readonly values: readonly SqlValue[] }
    | { readonly kind: "id"; readonly id: SqlValue };
}

export interface CursorSeal {
  /** Seals a position. The same place gives the same text, so that the same page is the same bytes. */
  seal(binding: string, position: Position): Promise<string>;
  /** Opens a cursor; null for a text that this service did not seal under the same binding. */
  open(binding: string, text: string): Promise<Position | null>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Step of the lengths of cursors in bytes, so that a length reveals little of the content. */
const STEP_BYTES = 32;
const SEALED_KEPT = 1000;

interface Keys {
  readonly nonce: CryptoKey;
  readonly seal: CryptoKey;
}

/** Builds the seal of cursors. It is built once per app and derives its keys on first use. */
export function createCursorSeal({ authSecret, authSecretPrevious = null }: Secrets): CursorSeal {
  const ready = keysOf(authSecret);
  const readyBefore = authSecretPrevious && keysOf(authSecretPrevious);
  const sealed = memo<Promise<string>>(SEALED_KEPT);
  return {
    seal(binding, position) {
      const { index, place } = position;
      const text = JSON.stringify(
        place.kind === "values"
          ? [index, place.values.map(jsonOf)]
          : [index, jsonOf(place.id), "id"],
      );
      // JSON contains no line break of its own, so two pairs never share a key.
      return sealed(
        `${binding}\n${text}`,
        async () => {
          // The nonce is synthetic: a keyed hash of all that is sealed. Nonces repeat only for the same text.
          const keys = await ready();
          const plain = padded(text);
          const message = encoded(JSON.stringify([binding, plain]));
          const nonce = new Uint8Array(await crypto.subtle.sign("HMAC", keys.nonce, message))
            .slice(0, NONCE_BYTES);
          const additionalData = encoded(binding);
          const sealed = await crypto.subtle.encrypt(
            { name: "AES-GCM", iv: nonce, additionalData },
            keys.seal,
            encoded(plain),
          );
          return new Uint8Array([...nonce, ...new Uint8Array(sealed)])
            .toBase64({ alphabet: "base64url", omitPadding: true });
        },
      );
    },
    async open(binding, text) {
      const plain = await openText(await ready(), binding, text) ??
        (readyBefore && await openText(await readyBefore(), binding, text));
      return plain === null ? null : readPosition(plain);
    },
  };
}

function keysOf(secret: Uint8Array): () => Promise<Keys> {
  requireStrongSecret(secret);
  const bytes = new Uint8Array(secret);
  let keys: Promise<Keys> | null = null;
  return () => keys ??= deriveKeys(bytes);
}

async function openText(keys: Keys, binding: string, text: string): Promise<string | null> {
  const bytes = decodedCursor(text);
  if (bytes === null) return null;
  const iv = bytes.slice(0, NONCE_BYTES);
  const algorithm = { name: "AES-GCM", iv, additionalData: encoded(binding) };
  try {
    const plain = await crypto.subtle.decrypt(algorithm, keys.seal, bytes.slice(NONCE_BYTES));
    return new TextDecoder().decode(plain);
  } catch (error) {
    // The platform throws this for a text that was not sealed with the key.
    if (error instanceof DOMException && error.name === "OperationError") return null;
    throw error;
  }
}

/** Decodes a cursor's text; null for a text that cannot be a cursor. Only one spelling of the same bytes is accepted. */
function decodedCursor(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    const bytes = Uint8Array.fromBase64(text, {
      alphabet: "base64url",
      lastChunkHandling: "loose",
    });
    const spelling = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
    return spelling === text && bytes.length > NONCE_BYTES + TAG_BYTES ? bytes : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function padded(text: string): string {
  const length = encoded(text).length;
  return text + " ".repeat(Math.ceil(length / STEP_BYTES) * STEP_BYTES - length);
}

type Cell = string | number | null | { readonly integer: string };

function jsonOf(value: SqlValue): Cell {
  if (value instanceof Uint8Array) throw new TypeError("A cursor cannot hold bytes");
  return typeof value === "bigint" ? { integer: String(value) } : value;
}

/** Reads an opened position. The seal proves that this service made it, but an older version may have done so. */
function readPosition(text: string): Position | null {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) return null;
  const [index, inner, kind]: readonly unknown[] = parsed;
  if (typeof index !== "number") return null;
  if (kind === "id") {
    const id = valueOf(inner);
    return id === undefined ? null : { index, place: { kind: "id", id } };
  }
  if (!Array.isArray(inner)) return null;
  const values = inner.map(valueOf).filter((value) => value !== undefined);
  return values.length === inner.length ? { index, place: { kind: "values", values } } : null;
}

function valueOf(cell: unknown): SqlValue | undefined {
  if (cell === null || typeof cell === "string" || typeof cell === "number") return cell;
  if (typeof cell !== "object" || !("integer" in cell)) return undefined;
  return typeof cell.integer === "string" ? BigInt(cell.integer) : undefined;
}

async function deriveKeys(secret: Uint8Array<ArrayBuffer>): Promise<Keys> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const derive = (
    purpose: string,
    algorithm: HmacKeyGenParams | AesKeyGenParams,
    use: KeyUsage[],
  ) =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoded(purpose) },
      base,
      algorithm,
      false,
      use,
    );
  return {
    nonce: await derive("quickback/cursor/nonce", { name: "HMAC", hash: "SHA-256", length: 256 }, [
      "sign",
    ]),
    seal: await derive("quickback/cursor/seal", { name: "AES-GCM", length: 256 }, [
      "encrypt",
      "decrypt",
    ]),
  };
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
