/**
 * Checks that two databases which differ only in values hidden from a caller give the same answer, byte for byte, to every
 * request (definitions 4.4, docs/proof.md). It does so for every class of callers from whom a mask hides something.
 */
import type { Principal, ProjectModel } from "../../shared/model/mod.ts";
import {
  asOtherWriter,
  othersActions,
  othersWrites,
  takenValues,
} from "../questions/other_writer.ts";
import { keysetQuestions, planClass, questionsOf, rereads } from "../questions/plan.ts";
import type { Planning } from "../questions/planning.ts";
import type { Channel, Corpus, Question, RecordedAnswer } from "../questions/question.ts";
import { CHANNELS, recordIn, UNASKED } from "../questions/question.ts";
import type { Admission, HiddenColumn, SeedRow, World } from "../rows/mod.ts";
import { COLLEAGUES, countingBytes, fittingRows, peerVariant, rowIds } from "../rows/mod.ts";
import { followedIn, sightOf, twinWorldsOf } from "../rows/mod.ts";
import { widerTotals } from "../questions/wider_totals.ts";
import { columnOf, type Difference, partingOf } from "./difference.ts";

/** Running API over one of the two databases: both have the same clock, ids and randomness. */
export interface TwinApi {
  ask(question: Question, caller: Principal): Promise<RecordedAnswer>;
  /** Follows the frames that the API sends the caller; null: the caller may not listen, or there is nothing to follow. */
  listen(caller: Principal): Promise<FrameRecorder | null>;
  /** Returns everything that was delivered to webhook endpoints so far, by the deliveries' ids. */
  deliveries(): Promise<readonly RecordedAnswer[]>;
  close(): Promise<void>;
}

export interface FrameRecorder {
  /** Returns all frames so far. */
  heard(): Promise<RecordedAnswer>;
}

export interface LeakHost {
  /** Opens two APIs over fresh databases, each with its own rows. The two share nothing. */
  open(
    one: readonly SeedRow[],
    other: readonly SeedRow[],
  ): Promise<readonly [TwinApi, TwinApi]>;
}

export interface LeakReport {
  /** Classes of callers from whom something is hidden. */
  readonly principals: readonly string[];
  /** Number of compared requests by channel. */
  readonly compared: Readonly<Partial<Record<Channel, number>>>;
  readonly differences: readonly Difference[];
  /** Hidden values that the definitions allow a caller to learn. */
  readonly admissions: readonly Admission[];
}

export interface LeakcheckOptions {
  readonly onPrincipal?: (name: string) => void;
  /** Names of the classes to check; absent: all. */
  readonly only?: readonly string[];
  /** Channels to check: other questions are left out, except writes, which later questions depend on. */
  readonly channels?: readonly Channel[];
  /** Ends the check when it returns true. */
  readonly isEnough?: (difference: Difference) => boolean;
}

export async function leakcheck(
  model: ProjectModel,
  host: LeakHost,
  options: LeakcheckOptions = {},
): Promise<LeakReport> {
  const { onPrincipal, only, channels = CHANNELS, isEnough = () => false } = options;
  const tallies: Tally[] = [];
  const principals: string[] = [];
  for (const world of twinWorldsOf(model)) {
    const { name, caller } = world;
    const { hidden, admissions } = sightOf(model, caller);
    const tally = { compared: new Map(), differences: [], admissions: [...admissions] };
    tallies.push(tally);
    const hides = hidden.length > 0 || followedIn(model).length > 0;
    if (!hides || only?.includes(name) === false) continue;
    const planning = planTwins(model, world, hidden);
    const { unseen = [] } = planning.exploring ?? {};
    tally.admissions.push(...widerTotals(planning));
    if (hidden.length === 0 && unseen.length === 0) continue;
    onPrincipal?.(name);
    principals.push(name);
    const twins = await host.open(planning.rows, planning.exploring?.twins ?? []);
    try {
      await compareTwins({ planning, twins, tally, channels, isEnough });
    } finally {
      for (const twin of twins) await twin.close();
    }
    if (tally.differences.some(isEnough)) break;
  }
  return { principals, ...summed(tallies) };
}

/** Plans the rows of both databases. The plan is the same in every run; its times are earlier than the databases' clocks. */
export function planTwins(
  model: ProjectModel,
  world: World,
  hidden: readonly HiddenColumn[],
): Planning {
  let number = 0;
  return planClass(model, world, {
    hidden,
    colleagues: COLLEAGUES,
    newId: rowIds(countingBytes(), () => 1),
    nextNumber: () => number += 1,
    now: Date.UTC(2026, 0, 1),
  });
}

interface Tally {
  readonly compared: Map<Channel, number>;
  readonly differences: Difference[];
  readonly admissions: Admission[];
}

interface Check {
  readonly planning: Planning;
  readonly twins: readonly [TwinApi, TwinApi];
  readonly tally: Tally;
  readonly channels: readonly Channel[];
  readonly isEnough: (difference: Difference) => boolean;
}

function summed(tallies: readonly Tally[]): Omit<LeakReport, "principals"> {
  const compared = new Map<Channel, number>();
  for (const tally of tallies) {
    for (const [channel, count] of tally.compared) {
      compared.set(channel, (compared.get(channel) ?? 0) + count);
    }
  }
  const admissions = tallies.flatMap((tally) => tally.admissions);
  const keys = new Set<string>();
  return {
    compared: Object.fromEntries(compared),
    differences: tallies.flatMap(({ differences }) => differences),
    admissions: admissions.filter(({ kind, column }) => {
      const key = `${kind} ${column}`;
      return !keys.has(key) && keys.add(key);
    }),
  };
}

async function compareTwins(check: Check): Promise<void> {
  const { planning, twins } = check;
  const [one, other] = twins;
  const { caller } = planning.world;
  const comparer = comparerFor(check);
  const listening = await both(twins, (twin) => twin.listen(caller));
  const others = asOtherWriter(planning);
  const writer = others.world.caller;
  for (const [a, b] of othersWrites(others, caller)) {
    await Promise.all([one.ask(a, writer), other.ask(b, writer)]);
  }
  await askAll(questionsOf(planning), twins, caller, comparer);
  if (comparer.isOver()) return;
  await askAll(othersActions(others), twins, writer, null);
  await askAll(rereads(planning), twins, caller, comparer);
  await compareUnasked(listening, twins, comparer);
  // Tries values of unique columns that are taken. The right to write such a column includes learning that a value is taken:
  // the answer can only be 409, and it must not contain anything else of the row (contract 7.2; docs/decisions/reads.md).
  for (const { question, column } of takenValues(planning)) {
    const [a, b] = await both(twins, (twin) => twin.ask(question, planning.world.caller));
    const tellsThatAlone = a.status === 409 && b.status === 201 &&
      !Object.hasOwn(recordIn(a), "details");
    if (tellsThatAlone) check.tally.admissions.push({ kind: "unique", column });
    else comparer.compare(question, a, b);
  }
}

interface Comparer {
  isAsked(question: Question): boolean;
  compare(question: Question, one: RecordedAnswer, other: RecordedAnswer): void;
  /** True when enough differences were found. */
  isOver(): boolean;
}

function comparerFor({ planning, tally, channels, isEnough }: Check): Comparer {
  const principal = planning.world.name;
  let isOver = false;
  return {
    isOver: () => isOver,
    isAsked: ({ channel, method }) =>
      channels.includes(channel) || (method !== "GET" && channel !== "mcp"),
    compare(question, one, other) {
      const { channel, method, path } = question;
      tally.compared.set(channel, (tally.compared.get(channel) ?? 0) + 1);
      const parting = partingOf(one, other);
      if (parting === null) return;
      const column = columnOf(question, parting, planning);
      const request = `${method} ${path}`;
      const difference = { principal, channel, request, column, ...parting };
      tally.differences.push(difference);
      isOver ||= isEnough(difference);
    },
  };
}

/** Sends the same bytes to both APIs. The first API's answers determine the next question. */
async function askAll(
  corpus: Corpus,
  twins: readonly [TwinApi, TwinApi],
  caller: Principal,
  /** Null: the caller may learn of the difference. */
  comparer: Comparer | null,
): Promise<void> {
  let turn = corpus.next();
  while (!turn.done && !comparer?.isOver()) {
    const question = turn.value;
    if (comparer?.isAsked(question) === false) {
      turn = corpus.next(UNASKED);
      continue;
    }
    const [a, b] = await both(twins, (twin) => twin.ask(question, caller));
    comparer?.compare(question, a, b);
    turn = corpus.next(a);
  }
}

/** Compares everything the API sent on its own: frames, and deliveries one by one. */
async function compareUnasked(
  [listening, otherListening]: readonly [FrameRecorder | null, FrameRecorder | null],
  twins: readonly [TwinApi, TwinApi],
  { compare }: Comparer,
): Promise<void> {
  const frames = { channel: "realtime", method: "LISTEN", path: "frames" } as const;
  if (listening || otherListening) {
    compare(
      frames,
      await listening?.heard() ?? UNASKED,
      await otherListening?.heard() ?? { ...UNASKED, status: 1 },
    );
  }
  const [sent, otherSent] = await both(twins, (twin) => twin.deliveries());
  for (let at = 0; at < Math.max(sent.length, otherSent.length); at += 1) {
    const delivery = { channel: "webhook", method: "DELIVERY", path: String(at) } as const;
    compare(delivery, sent[at] ?? UNASKED, otherSent[at] ?? { ...UNASKED, status: 1 });
  }
}

/** Calls both APIs at once. */
function both<T>(
  [one, other]: readonly [TwinApi, TwinApi],
  ask: (twin: TwinApi) => Promise<T>,
): Promise<readonly [T, T]> {
  return Promise.all([ask(one), ask(other)]);
}

interface Solo {
  /** Questions of one run, which can be used once. Reads come first, because the last questions delete. */
  readonly corpus: Corpus;
  readonly rows: readonly SeedRow[];
}

/** Returns every question for one database, for checks that do not compare two answers. */
export function soloFor(model: ProjectModel, world: World): Solo {
  const planning = planTwins(model, world, sightOf(model, world.caller).hidden);
  const [rows = []] = fittingRows([planning.rows.map((row) => {
    if (!MORE_OWN.includes(row.variant)) return row;
    const owners = [row.table.scope.owner, "createdBy"].filter((name) => name !== null);
    const own = Object.fromEntries(owners.map((name) => [name, world.home.userId]));
    return { ...row, values: { ...row.values, ...own } };
  })]);
  return { corpus: questionsOverOne(planning), rows };
}

function* questionsOverOne(planning: Parameters<typeof questionsOf>[0]): Corpus {
  yield* keysetQuestions(planning);
  yield* questionsOf(planning);
}

/** Further rows of the caller's own: callers who see only their own rows need several to reach a second page. */
const MORE_OWN: readonly string[] = [peerVariant(0), peerVariant(2)];
