/** Requests that the contenders receive, and the ratios that the generated API should reach. */
import type { ContenderName } from "./contender.ts";
import { DELETABLE, idOf } from "./world.ts";
import type { WrkRequest } from "./wrk.ts";

export interface Case {
  readonly name: string;
  readonly contenders: readonly ContenderName[];
  /** Requests that are sent in turn, again and again. */
  readonly requests: readonly WrkRequest[];
  /** Target ratios. Absent: none. */
  readonly overHand?: number;
  readonly overLimit?: number;
  /** True when every request counts once. A round continues where the last one ended. */
  readonly isUsedUp?: boolean;
}

const ALL: readonly ContenderName[] = ["generated", "hand", "limit"];
const TWO: readonly ContenderName[] = ["generated", "hand"];
const TICKETS = "/api/v1/tickets";
/** Rows that a case uses. The measured tenant has this many of each resource. */
const ROWS = 1_000;

/** Condition that selects a third of the customers. */
const OF_PLAN = JSON.stringify({ customer: { plan: "team" } });

const BODY = JSON.stringify({
  subject: "The printer prints nothing but stars",
  description: "It worked yesterday, and the day before that, and the day before that, really.",
});
const BATCH = JSON.stringify({ records: Array.from({ length: 100 }, () => JSON.parse(BODY)) });

function reads(...paths: readonly string[]): Case["requests"] {
  return paths.map((path) => ({ method: "GET", path }));
}

/** Makes one request for each ticket of the tenant. */
function eachTicket(method: string, suffix = "", body?: string): Case["requests"] {
  return Array.from({ length: ROWS }, (_, at) => ({
    method,
    path: `${TICKETS}/${idOf("ticket", at)}${suffix}`,
    ...(body === undefined ? {} : { body }),
  }));
}

export const CASES: readonly Case[] = [
  {
    name: "single read",
    contenders: ALL,
    requests: eachTicket("GET"),
    overHand: 8,
    overLimit: 0.55,
  },
  {
    name: "list of 20",
    contenders: ALL,
    requests: reads(`${TICKETS}?limit=20`),
    overHand: 6,
    overLimit: 0.7,
  },
  {
    name: "list of 100",
    contenders: ALL,
    requests: reads(`${TICKETS}?limit=100`),
    overHand: 7,
    overLimit: 0.7,
  },
  {
    name: "list of 20, masked",
    contenders: ALL,
    requests: reads("/api/v1/customers?limit=20"),
    overHand: 5,
  },
  {
    name: "list of 20, filtered",
    contenders: ALL,
    requests: reads(`${TICKETS}?limit=20&status=open`),
    overHand: 6,
  },
  {
    name: "list of 20, with total",
    contenders: ALL,
    requests: reads(`${TICKETS}?limit=20&total=true`),
    overHand: 5,
  },
  {
    name: "list of 20, with labels",
    contenders: ALL,
    requests: reads("/api/v1/orders?limit=20"),
    overHand: 5,
  },
  {
    name: "list of 20, with include",
    contenders: TWO,
    requests: reads("/api/v1/orders?limit=20&include=customerId"),
    overHand: 5,
  },
  {
    name: "list of 20, where by relation",
    contenders: TWO,
    requests: reads(`/api/v1/orders?limit=20&where=${encodeURIComponent(OF_PLAN)}`),
    overHand: 6,
  },
  {
    name: "list of 20, reverse include",
    contenders: TWO,
    requests: reads("/api/v1/customers?limit=20&include=orders"),
    overHand: 6,
  },
  {
    name: "create",
    contenders: ALL,
    requests: [{ method: "POST", path: TICKETS, body: BODY }],
    overHand: 5,
  },
  {
    name: "batch create of 100",
    contenders: ALL,
    requests: [{ method: "POST", path: `${TICKETS}/batch`, body: BATCH }],
    overHand: 3.5,
    overLimit: 1.1,
  },
  {
    name: "update",
    contenders: ALL,
    requests: eachTicket("PATCH", "", JSON.stringify({ subject: "Prints again" })),
    overHand: 4,
  },
  {
    name: "action with a transition",
    contenders: TWO,
    requests: [...eachTicket("POST", "/resolve", "{}"), ...eachTicket("POST", "/reopen", "{}")],
    overHand: 4,
  },
  {
    name: "delete",
    contenders: TWO,
    requests: Array.from({ length: DELETABLE }, (_, at) => ({
      method: "DELETE",
      path: `${TICKETS}/del_${at.toString(16).padStart(32, "0")}`,
    })),
    overHand: 4,
    isUsedUp: true,
  },
];
