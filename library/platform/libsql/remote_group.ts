/**
 * Writes that share one transaction of a server, in few round trips (docs/decisions/remote_writes.md). They take effect one
 * after the other. What later writes ask travels along before the earlier ones are known to be done: when one of those
 * goes on instead, all that came after it is undone and sent again, and nobody was told of it.
 */
import { DatabaseUnavailableError, type Statement } from "../../../shared/runtime/ports.ts";
import { DatabaseBusyError } from "./driver_errors.ts";
import type { Condition, HranaServer, Step, StepAnswer, Stream } from "./hrana.ts";
import { openStream } from "./hrana.ts";
import { type Ask, isConcluding, type Member, turn } from "./remote_member.ts";

interface Group {
  readonly stream: Stream;
  readonly members: readonly Member[];
  /** Milliseconds of `performance.now()`. */
  readonly since: number;
  /** Members that were told a result: they cannot begin anew. */
  readonly told: Set<Member>;
  /** Members that wait for another group. */
  readonly left: Set<Member>;
  /** Members whose savepoint stands. */
  readonly entered: Set<Member>;
  /** Last statements that touch nothing of anybody else: they wait for the end. */
  readonly apart: { readonly member: Member; readonly ask: Ask }[];
  /** Goes, before the next statements, to where what is valid ends. */
  back: readonly Statement[];
  begun: boolean;
  /** Nothing travelled in vain so far. */
  foresees: boolean;
}

export interface GroupOptions {
  readonly server: HranaServer;
  /** Milliseconds to wait for another client's write. */
  readonly busyTimeout: number;
}

interface RunOptions extends GroupOptions {
  /** Is called when the request that ends the group is sent. */
  onLast(): void;
}

/** No member begins later in its group: a server takes the lock from who holds it for seconds while others wait. */
const BEGIN_UNTIL_MS = 500;
const RETRY_FIRST_MS = 10;
const RETRY_MAX_MS = 200;
const BEGIN: Statement = { sql: "BEGIN IMMEDIATE", args: [] };
const COMMIT: Statement = { sql: "COMMIT", args: [] };
const ROLLBACK: Statement = { sql: "ROLLBACK", args: [] };

/**
 * Runs the group and answers its callers after the commit. Returns the members that it had no time for, which wait as before.
 * Throws where nothing of it is known to be kept.
 */
export async function runGroup(
  members: readonly Member[],
  options: RunOptions,
): Promise<readonly Member[]> {
  const group: Group = {
    stream: openStream(options.server, options.server.limits?.statementMs),
    members,
    since: performance.now(),
    told: new Set(),
    left: new Set(),
    entered: new Set(),
    apart: [],
    back: [],
    begun: false,
    foresees: true,
  };
  try {
    while (!await advance(group, options));
  } catch (error) {
    await abandon(group.stream);
    throw error;
  }
  for (const { outcome } of members) outcome?.settle();
  return [...group.left];
}

/** One round trip at most; true when all of it is over. */
async function advance(
  group: Group,
  { busyTimeout, onLast }: RunOptions,
): Promise<boolean> {
  const { told, left } = group;
  const open = group.members.filter(({ isOver, outcome }) => !isOver && outcome === null);
  if (told.size > 0 && performance.now() - group.since > BEGIN_UNTIL_MS) {
    for (const member of open) if (!told.has(member)) left.add(member);
  }
  const rest = open.filter((member) => !left.has(member));
  if (rest.length === 0 && group.apart.length === 0 && !group.members.some(isKept)) {
    await abandon(group.stream);
    return true;
  }
  const end = group.foresees ? -1 : rest.findIndex((member) => !isConcluding(member));
  const sent = end === -1 ? rest : rest.slice(0, end + 1);
  const isLast = sent.length === rest.length && sent.every(isConcluding);
  const batch = new Batch();
  if (!group.begun) batch.add(BEGIN);
  for (const statement of group.back) batch.add(statement);
  const segments = sent.map((member) => addSegment(batch, group, member));
  const ending = isLast ? addEnding(batch, group) : [];
  const sending = { isLast, busyTimeout };
  if (isLast) onLast();
  const answers = usable(await sentOnceUnlocked(group.stream, batch.steps, sending), batch);
  group.begun = true;
  group.back = [];
  await deliverAll(group, segments, answers);
  for (const { member, ask, steps } of ending) {
    await deliver({ member, asks: [{ ask, steps }], concludes: true }, answers);
  }
  return isLast;
}

function isKept({ outcome }: Member): boolean {
  return outcome?.kept === true;
}

/** Ends a stream: what a server still holds keeps others waiting. One that is away lets go of it by itself. */
export async function abandon(stream: Stream): Promise<void> {
  if (!stream.isOpen) return;
  try {
    await stream.send([{ statement: ROLLBACK, condition: null }], "last");
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}

/** Statements of a batch with their conditions, and which of them are the members' own. */
class Batch {
  readonly steps: Step[] = [];
  readonly asked = new Set<number>();
  /** Holds when everything so far went well; null: there is nothing so far. */
  soFar: Condition | null = null;

  /** Adds a statement that runs when everything before it went well; returns its place. */
  add(statement: Statement): number {
    return this.addIf(this.soFar, statement);
  }

  addIf(condition: Condition | null, statement: Statement): number {
    const step = this.steps.push({ statement, condition }) - 1;
    this.soFar = { type: "ok", step };
    return step;
  }
}

/** Places of a statement, and of the check that its rows were there. */
interface AskedStep {
  readonly at: number;
  readonly check: number | null;
}

/** Questions of one member within a batch. */
interface Segment {
  readonly member: Member;
  readonly asks: readonly { readonly ask: Ask; readonly steps: readonly AskedStep[] }[];
  readonly concludes: boolean;
}

function addSegment(batch: Batch, group: Group, member: Member): Segment {
  const isAlone = group.members.length === 1;
  const name = nameOf(group, member);
  if (!isAlone && !group.entered.has(member)) batch.add({ sql: `SAVEPOINT ${name}`, args: [] });
  const { soFar: before } = batch;
  const concludes = isConcluding(member);
  const asks: Segment["asks"][number][] = [];
  for (const item of member.items) {
    if (item.kind === "ask") {
      const steps = item.ask.statements.map((one) => {
        const at = batch.add(one);
        batch.asked.add(at);
        const { sql, args, rowsRequired } = one;
        if (!concludes || rowsRequired === undefined) return { at, check: null };
        // SQLite has no RAISE outside triggers; text that is no JSON makes the statement fail.
        const missing =
          `SELECT CASE WHEN (SELECT count(*) FROM (${sql})) < ? THEN json('missing') END`;
        const check = batch.add({ sql: missing, args: [...args, rowsRequired] });
        batch.asked.add(check);
        return { at, check };
      });
      asks.push({ ask: item.ask, steps });
    } else batch.add(item.statement);
  }
  const { soFar: done } = batch;
  if (concludes && !isAlone && done) {
    // It is undone alone, and those after it go on.
    const failed: Condition = { type: "not", cond: done };
    const step = batch.addIf(before ? { type: "and", conds: [before, failed] } : failed, {
      sql: `ROLLBACK TO ${name}`,
      args: [],
    });
    batch.soFar = { type: "or", conds: [done, { type: "ok", step }] };
  }
  return { member, asks, concludes };
}

function nameOf(group: Group, member: Member): string {
  return `write_${group.members.indexOf(member)}`;
}

/** Adds what waited for the end, and the commit. What is left open after it is rolled back. */
function addEnding(batch: Batch, { apart }: Group) {
  const ending = apart.map(({ member, ask }) => ({
    member,
    ask,
    steps: ask.statements.map((one) => ({ at: batch.add(one), check: null })),
  }));
  const step = batch.add(COMMIT);
  batch.addIf({ type: "not", cond: { type: "ok", step } }, ROLLBACK);
  return ending;
}

interface Sending extends Pick<GroupOptions, "busyTimeout"> {
  readonly isLast: boolean;
}

/** Sends a batch, again while another client holds the lock: where its BEGIN is refused, nothing of it has run. */
export async function sentOnceUnlocked(
  stream: Stream,
  steps: readonly Step[],
  { isLast, busyTimeout }: Sending,
): Promise<readonly StepAnswer[]> {
  let waited = 0;
  for (let pause = RETRY_FIRST_MS;; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
    const answers = await stream.send(steps, isLast ? "last" : undefined);
    const [first] = answers;
    const isRefused = steps[0]?.statement.sql === BEGIN.sql && first?.kind === "error" &&
      first.error instanceof DatabaseBusyError;
    if (!isRefused || waited >= busyTimeout) return answers;
    await new Promise((resolve) => setTimeout(resolve, pause));
    waited += pause;
  }
}

/** A transaction that the engine gave up, or cannot go on with, fails everyone who shares it. */
function usable(answers: readonly StepAnswer[], { asked }: Batch): readonly StepAnswer[] {
  for (const [at, answer] of answers.entries()) {
    if (answer.kind !== "error") continue;
    if (!asked.has(at) || answer.error instanceof DatabaseUnavailableError) throw answer.error;
  }
  return answers;
}

/** Answers members in their order, as far as what they were sent on holds. */
async function deliverAll(
  group: Group,
  segments: readonly Segment[],
  answers: readonly StepAnswer[],
): Promise<void> {
  for (const [at, segment] of segments.entries()) {
    const { member } = segment;
    if (!hasRun(segment, answers)) return;
    group.entered.add(member);
    group.told.add(member);
    await deliver(segment, answers);
    const next = segments[at + 1];
    const later = next && hasRun(next, answers) ? next.member : null;
    if (member.isOver || isOut(group, member, later)) continue;
    for (const one of segments.slice(at + 1)) group.entered.delete(one.member);
    return;
  }
}

function hasRun({ asks: [first] }: Segment, answers: readonly StepAnswer[]): boolean {
  const step = first?.steps[0];
  return step !== undefined && answers[step.at]?.kind !== "skipped";
}

/** Answers a member's calls, and waits until it asks again or has ended. */
async function deliver({ member, asks, concludes }: Segment, answers: readonly StepAnswer[]) {
  member.items = [];
  member.isOver = concludes;
  const unrun: Ask[] = [];
  let isUndone = false;
  for (const { ask, steps } of asks) {
    const own = steps.map(({ at }) => answers[at]);
    const failed = own.find((one) => one?.kind === "error");
    const results = own.flatMap((one) => one?.kind === "ok" ? [one.result] : []);
    if (failed?.kind === "error") ask.reject(failed.error);
    else if (results.length === steps.length) ask.resolve(results);
    else unrun.push(ask);
    const isMet = steps.every(({ check }) => check === null || answers[check]?.kind === "ok");
    isUndone ||= concludes && (results.length < steps.length || !isMet);
  }
  if (unrun.length > 0) {
    // Whatever was the reason is told first.
    await turn();
    for (const ask of unrun) ask.reject(new Error("A statement before this one was refused"));
  }
  await member.pause();
  if (isUndone && isKept(member)) {
    member.fail(
      new Error("The last statements of a transaction were refused, and its body went on"),
    );
  }
}

/**
 * True when the member is done with the transaction, or leaves it as it is until the end; else it says where to go back to.
 */
function isOut(group: Group, member: Member, later: Member | null): boolean {
  const backTo = (one: Member) => ({ sql: `ROLLBACK TO ${nameOf(group, one)}`, args: [] });
  if (member.outcome?.kept === false) {
    // Alone, it is all of the transaction.
    if (group.members.length > 1) group.back = [backTo(member)];
    return false;
  }
  const isAtEnd = member.outcome !== null || member.conclusion === "apart";
  const rewinds = member.items.flatMap((item) => item.kind === "rewind" ? [item.statement] : []);
  if (isAtEnd) {
    for (const item of member.items) {
      if (item.kind === "ask") group.apart.push({ member, ask: item.ask });
    }
    member.items = [];
    member.isOver = true;
    if (rewinds.length === 0) return true;
  } else if (later) group.foresees = false;
  group.back = [...(later ? [backTo(later)] : []), ...(isAtEnd ? rewinds : [])];
  return false;
}
