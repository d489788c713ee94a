/** The trusted resolver of the destination policy: DNS over HTTPS at one fixed URL (contract 8.2.5). */
import * as dns from "@leichtgewicht/dns-packet";
import { z } from "zod";
import { DNS_ANSWERS_MAX } from "../../../shared/contract/mod.ts";
import { readCapped } from "../../../shared/lib/bytes.ts";
import { parsedJson } from "../../../shared/lib/json.ts";
import type { Resolver } from "../../../shared/runtime/ports.ts";

export const PUBLIC_RESOLVER = "https://cloudflare-dns.com/dns-query";

export interface DohResolverOptions {
  /** `WEBHOOK_RESOLVER_URL`. */
  readonly url: string;
  /** Milliseconds for each question. */
  readonly timeout?: number;
}

const TIMEOUT_MS = 5000;
/** Largest answer. 33 records of either form are far below it. */
const ANSWER_MAX_BYTES = 64 * 1024;
const TYPES = ["A", "AAAA"] as const;
/** Statuses with which a resolver refuses JSON, because it only speaks DNS's own format. */
const JSON_REFUSED: readonly number[] = [400, 404, 406, 415];

/** Id of all questions. A fixed id helps caches (RFC 8484, 4.1). */
const QUERY_ID = 0;

type RecordType = typeof TYPES[number];

export function dohResolver({ url, timeout = TIMEOUT_MS }: DohResolverOptions): Resolver {
  return {
    async resolve(name) {
      const answers = await Promise.all(TYPES.map((type) => ask({ url, timeout, name, type })));
      const failure = answers.find((answer) => answer.kind === "failed");
      return {
        addresses: answers.flatMap((answer) => answer.kind === "addresses" ? answer.addresses : []),
        exists: !answers.some(({ kind }) => kind === "nonexistent"),
        failure: failure?.reason ?? null,
      };
    },
  };
}

interface Question {
  readonly url: string;
  readonly timeout: number;
  readonly name: string;
  readonly type: RecordType;
}

async function ask(question: Question): Promise<DnsAnswer> {
  const signal = AbortSignal.timeout(question.timeout);
  try {
    const { url, name, type } = question;
    const target = new URL(url);
    target.searchParams.set("name", name);
    target.searchParams.set("type", type);
    const json = await fetch(target, { ...requestFor("application/dns-json"), signal });
    if (!JSON_REFUSED.includes(json.status)) return await readAnswer(json, question);
    await json.body?.cancel();
    const wire = requestFor("application/dns-message");
    return await readAnswer(await fetch(wireUrl(question), { ...wire, signal }), question);
  } catch (error) {
    // Any error of `fetch` means that the name was not resolved. Its message may name the resolver.
    if (error instanceof Error) {
      return failed(signal.aborted ? "The resolver took too long" : "The resolver did not answer");
    }
    throw error;
  }
}

function requestFor(accept: string): RequestInit {
  return { headers: { accept }, redirect: "error" };
}

function wireUrl({ url, name, type }: Question): URL {
  const target = new URL(url);
  const query = dns.encode({
    type: "query",
    id: QUERY_ID,
    flags: dns.RECURSION_DESIRED,
    questions: [{ type, name, class: "IN" }],
  });
  const text = query.toBase64({ alphabet: "base64url", omitPadding: true });
  target.searchParams.set("dns", text);
  return target;
}

async function readAnswer(response: Response, { name, type }: Question): Promise<DnsAnswer> {
  if (!response.ok) {
    await response.body?.cancel();
    return failed(`The resolver answered ${response.status}`);
  }
  const bytes = await readCapped(response.body, ANSWER_MAX_BYTES);
  if (bytes === null) return MALFORMED;
  const isWire = response.headers.get("content-type")?.startsWith("application/dns-message");
  if (isWire) return readWireAnswer(bytes, QUERY_ID, name, type);
  const parsed = jsonAnswer.safeParse(parsedJson(new TextDecoder().decode(bytes)));
  if (!parsed.success) return MALFORMED;
  const { Status, TC, Answer } = parsed.data;
  const addresses = Answer.filter(({ type }) => ADDRESS_VERSIONS.has(type));
  // This refuses an IPv6 address in an A record. The policy judges text that is no address.
  if (
    addresses.some(({ type, data }) => {
      const version = data.includes(":") ? 6 : /^[\d.]+$/.test(data) ? 4 : null;
      return version !== null && version !== ADDRESS_VERSIONS.get(type);
    })
  ) return MALFORMED;
  return answerOf(Status, TC, Answer.length, addresses.map(({ data }) => data));
}

/** Record types with an address, and its IP version. */
const ADDRESS_VERSIONS: ReadonlyMap<number, 4 | 6> = new Map([[1, 4], [28, 6]]);
const NO_ERROR = 0;
const NAME_ERROR = 3;

type DnsAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "nonexistent" }
  | { readonly kind: "failed"; readonly reason: string };

const jsonAnswer = z.object({
  Status: z.number().int().min(0),
  TC: z.boolean().default(false),
  Answer: z.array(z.object({ type: z.number().int().min(1), data: z.string() })).default([]),
});

function readWireAnswer(
  bytes: Uint8Array,
  id: number,
  name: string,
  type: "A" | "AAAA",
): DnsAnswer {
  const packet = decoded(bytes);
  if (packet === null || packet.type !== "response") return MALFORMED;
  const isRepeated = (packet.questions ?? []).every((repeated) =>
    repeated.type === type && repeated.name.toLowerCase() === name.toLowerCase()
  );
  if (packet.id !== id || !isRepeated) return MALFORMED;
  const answers = packet.answers ?? [];
  const addresses = answers.flatMap((record) =>
    record.type === "A" || record.type === "AAAA" ? [record.data] : []
  );
  return answerOf(
    bytes[3] === undefined ? NaN : bytes[3] & 0x0f,
    packet.flag_tc ?? false,
    answers.length,
    addresses,
  );
}

function answerOf(
  status: number,
  truncated: boolean,
  records: number,
  addresses: readonly string[],
): DnsAnswer {
  if (status === NAME_ERROR) return { kind: "nonexistent" };
  if (status !== NO_ERROR) return failed("The resolver reported an error");
  if (truncated) return failed("The resolver cut its answer");
  if (records > DNS_ANSWERS_MAX) {
    return failed(`The resolver gave more than ${DNS_ANSWERS_MAX} records`);
  }
  return { kind: "addresses", addresses };
}

function failed(reason: string): DnsAnswer {
  return { kind: "failed", reason };
}

const MALFORMED = failed("The resolver gave a malformed answer");

/** Decodes an answer; null if the decoder throws, which it does with many kinds of errors. */
function decoded(bytes: Uint8Array): dns.Packet | null {
  try {
    return dns.decode(bytes);
  } catch {
    return null;
  }
}
