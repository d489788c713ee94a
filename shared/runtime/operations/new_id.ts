/** Ids of new rows by strategy (contract 4.1 rule 5), made by well-kept libraries from the host's randomness. */
import { init } from "@paralleldrive/cuid2";
import { customRandom, urlAlphabet } from "nanoid";
import type { TableModel } from "../../model/table.ts";
import type { NewId } from "../context.ts";
import type { Randomness } from "../ports.ts";

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function createNewId(random: Randomness): NewId {
  const bytes = (length: number) => random.bytes(length);
  const nanoid = customRandom(urlAlphabet, 21, bytes);
  const short = customRandom(ALPHANUMERIC, 6, bytes);
  const cuid = init({
    random: () => fraction(random),
    fingerprint: hex(random.bytes(16)),
    length: 24,
  });
  return ({ idStrategy, idPrefix, name }: TableModel) => {
    switch (idStrategy) {
      case "serial":
        return null;
      case "uuid":
        return uuid(random.bytes(16));
      case "prefixed":
        return `${idPrefix}_${hex(random.bytes(16))}`;
      case "cuid":
        return cuid();
      case "nanoid":
        return nanoid();
      case "short":
        return short();
      case false:
        throw new Error(`Ids of "${name}" come with the request`);
    }
  };
}

/** 53 random bits as a number in [0, 1). */
function fraction(random: Randomness): number {
  const view = new DataView(random.bytes(8).slice().buffer);
  return Number(view.getBigUint64(0) >> 11n) / 2 ** 53;
}

/** RFC 9562, 5.4: version 4. */
function uuid(bytes: Uint8Array): string {
  const digits = hex(bytes);
  const variant = (8 + (parseInt(digits.charAt(16), 16) & 3)).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
