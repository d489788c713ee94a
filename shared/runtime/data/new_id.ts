/** Ids of new rows by strategy (contract 4.1 rule 5), made by well-kept libraries from the host's randomness. */
import { init } from "@paralleldrive/cuid2";
import { customRandom, urlAlphabet } from "nanoid";
import { uuid } from "../../lib/ids.ts";
import type { TableModel } from "../../model/table.ts";
import type { NewId } from "../context.ts";
import type { Randomness } from "../ports.ts";

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function createNewId(random: Randomness): NewId {
  const bytes = (length: number) => random.bytes(length);
  const nanoid = customRandom(urlAlphabet, 21, bytes);
  const short = customRandom(ALPHANUMERIC, 6, bytes);
  const cuid = init({
    random: () => {
      // 53 random bits as a number in [0, 1).
      const view = new DataView(random.bytes(8).slice().buffer);
      return Number(view.getBigUint64(0) >> 11n) / 2 ** 53;
    },
    fingerprint: random.bytes(16).toHex(),
    length: 24,
  });
  return ({ idStrategy, idPrefix, name }: TableModel) => {
    switch (idStrategy) {
      case "serial":
        return null;
      case "uuid":
        return uuid(random.bytes(16));
      case "prefixed":
        return `${idPrefix}_${random.bytes(16).toHex()}`;
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
