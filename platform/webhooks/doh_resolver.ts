/** The trusted resolver of the destination policy: DNS over HTTPS at one fixed address (contract 8.2.5). */
import * as dns from "@leichtgewicht/dns-packet";
import type { Resolution, Resolver } from "../../shared/runtime/ports.ts";
import { type DnsAnswer, failed, MALFORMED, readJsonAnswer, readWireAnswer } from "./doh_answer.ts";
import { readCapped } from "../../shared/lib/bytes.ts";

export const PUBLIC_RESOLVER = "https://cloudflare-dns.com/dns-query";

export interface DohResolverOptions {
  /** `WEBHOOK_RESOLVER_URL`. */
  readonly url: string;
  /** Milliseconds for each question. */
  readonly timeout?: number;
}

const TIMEOUT_MS = 5000;
/** 33 records of either form stay far below it. */
const ANSWER_MAX_BYTES = 64 * 1024;
const TYPES = ["A", "AAAA"] as const;
/** Statuses with which a resolver that only speaks DNS's own form refuses a question in JSON. */
const JSON_REFUSED: readonly number[] = [400, 404, 406, 415];

/** The same for all questions, as caches like it (RFC 8484, 4.1). */
const QUERY_ID = 0;

type RecordType = typeof TYPES[number];

export function dohResolver({ url, timeout = TIMEOUT_MS }: DohResolverOptions): Resolver {
  return {
    async resolve(name) {
      const answers = await Promise.all(TYPES.map((type) => ask({ url, timeout, name, type })));
      return resolutionOf(answers);
    },
  };
}

function resolutionOf(answers: readonly DnsAnswer[]): Resolution {
  const failure = answers.find((answer) => answer.kind === "failed");
  return {
    addresses: answers.flatMap((answer) => answer.kind === "addresses" ? answer.addresses : []),
    exists: !answers.some(({ kind }) => kind === "nonexistent"),
    failure: failure?.reason ?? null,
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
    const json = await fetch(jsonUrl(question), { ...requestFor("application/dns-json"), signal });
    if (!JSON_REFUSED.includes(json.status)) return await answerOf(json, question);
    await json.body?.cancel();
    const wire = requestFor("application/dns-message");
    return await answerOf(await fetch(wireUrl(question), { ...wire, signal }), question);
  } catch (error) {
    // Whatever `fetch` throws, the name was not resolved; what it says may name the resolver.
    if (error instanceof Error) {
      return failed(signal.aborted ? "The resolver took too long" : "The resolver did not answer");
    }
    throw error;
  }
}

function requestFor(accept: string): RequestInit {
  return { headers: { accept }, redirect: "error" };
}

function jsonUrl({ url, name, type }: Question): URL {
  const target = new URL(url);
  target.searchParams.set("name", name);
  target.searchParams.set("type", type);
  return target;
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

async function answerOf(response: Response, { name, type }: Question): Promise<DnsAnswer> {
  if (!response.ok) {
    await response.body?.cancel();
    return failed(`The resolver answered ${response.status}`);
  }
  const bytes = await readCapped(response.body, ANSWER_MAX_BYTES);
  if (bytes === null) return MALFORMED;
  const isWire = response.headers.get("content-type")?.startsWith("application/dns-message");
  return isWire
    ? readWireAnswer(bytes, { id: QUERY_ID, name, type })
    : readJsonAnswer(new TextDecoder().decode(bytes));
}
