/** Reads one answer of a DNS-over-HTTPS resolver, in its JSON form or in DNS's own (RFC 8484). Whatever is odd is a failure. */
import * as dns from "@leichtgewicht/dns-packet";
import { z } from "zod";
import { DNS_ANSWERS_MAX } from "../../shared/contract/limits.ts";
import { parsedJson } from "../../shared/lib/json.ts";

/** Types of records that hold an address, and the version of what they hold. */
const ADDRESS_VERSIONS: ReadonlyMap<number, 4 | 6> = new Map([[1, 4], [28, 6]]);
const NO_ERROR = 0;
const NAME_ERROR = 3;

export type DnsAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "nonexistent" }
  | { readonly kind: "failed"; readonly reason: string };

const jsonAnswer = z.object({
  Status: z.number().int().min(0),
  TC: z.boolean().default(false),
  Answer: z.array(z.object({ type: z.number().int().min(1), data: z.string() })).default([]),
});

export function readJsonAnswer(text: string): DnsAnswer {
  const parsed = jsonAnswer.safeParse(parsedJson(text));
  if (!parsed.success) return MALFORMED;
  const { Status, TC, Answer } = parsed.data;
  const addresses = Answer.filter(({ type }) => ADDRESS_VERSIONS.has(type));
  if (addresses.some(isOfOtherVersion)) return MALFORMED;
  return answerOf({
    status: Status,
    truncated: TC,
    records: Answer.length,
    addresses: addresses.map(({ data }) => data),
  });
}

/** An IPv6 address in an A record, for one. Text that is no address at all is for the policy to judge. */
function isOfOtherVersion({ type, data }: { readonly type: number; readonly data: string }) {
  const version = data.includes(":") ? 6 : /^[\d.]+$/.test(data) ? 4 : null;
  return version !== null && version !== ADDRESS_VERSIONS.get(type);
}

/** A question in DNS's own form. */
interface WireQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: "A" | "AAAA";
}

export function readWireAnswer(bytes: Uint8Array, question: WireQuestion): DnsAnswer {
  const packet = decoded(bytes);
  if (packet === null || packet.type !== "response") return MALFORMED;
  if (!isAnswerTo(packet, question)) return MALFORMED;
  const answers = packet.answers ?? [];
  const addresses = answers.flatMap((record) =>
    record.type === "A" || record.type === "AAAA" ? [record.data] : []
  );
  return answerOf({
    status: bytes[3] === undefined ? NaN : bytes[3] & 0x0f,
    truncated: packet.flag_tc ?? false,
    records: answers.length,
    addresses,
  });
}

/** An answer repeats the id and the question (RFC 1035, 4.1.2); some leave the question out. */
function isAnswerTo(packet: dns.Packet, { id, name, type }: WireQuestion): boolean {
  const questions = packet.questions ?? [];
  return packet.id === id &&
    questions.every((repeated) =>
      repeated.type === type && repeated.name.toLowerCase() === name.toLowerCase()
    );
}

interface Reading {
  readonly status: number;
  readonly truncated: boolean;
  readonly records: number;
  readonly addresses: readonly string[];
}

function answerOf({ status, truncated, records, addresses }: Reading): DnsAnswer {
  if (status === NAME_ERROR) return { kind: "nonexistent" };
  if (status !== NO_ERROR) return failed("The resolver reported an error");
  if (truncated) return failed("The resolver cut its answer");
  if (records > DNS_ANSWERS_MAX) {
    return failed(`The resolver gave more than ${DNS_ANSWERS_MAX} records`);
  }
  return { kind: "addresses", addresses };
}

export function failed(reason: string): DnsAnswer {
  return { kind: "failed", reason };
}

export const MALFORMED = failed("The resolver gave a malformed answer");

/** Null for whatever the decoder cannot read: it throws errors of many kinds. */
function decoded(bytes: Uint8Array): dns.Packet | null {
  try {
    return dns.decode(bytes);
  } catch {
    return null;
  }
}
