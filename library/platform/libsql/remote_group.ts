/**
 * Writes that share one transaction of a server, in few round trips (docs/decisions/remote_writes.md). They take effect in
 * order. Statements of later writes travel before earlier writes have finished. If an earlier write then continues, the later
 * ones are rolled back and sent again; they have not been answered yet.
 */
import { DatabaseUnavailableError, type Statement } from "../../../shared/runtime/ports.ts";
import { DatabaseBusyError } from "./driver_errors.ts";
import type { Condition, HranaServer, Step, StepAnswer, Stream } from "./hrana.ts";
import { openStream } from "./hrana.ts";
import { type Ask, isConcluding, type Member, turn } from "./remote_member.ts";

interface Group {
  readonly stream: Stream;
  readonly members: readonly Member[];
  /** Start time in milliseconds of `performance.now()`. */
  readonly since: number;
  /** Members that have received a result, and cannot start over. */
  readonly told: Set<Member>;
  /** Members that wait for another group. */
  readonly left: Set<Member>;
  /** Members whose savepoint exists. */
  readonly entered: Set<Member>;
  /** Last statements that affect no other member. They are sent at the end. */
  readonly apart: { readonly member: Member; readonly ask: Ask }[];
  /** Statements that roll back to the last valid savepoint before the next ones run. */
  back: readonly Statement[];
  begun: boolean;
  /** True while no statement was sent in vain. */
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

/**
 * Latest time for a member to start within its group. A server takes the lock from a client that holds it for seconds while
 * others wait.
 */
const BEGIN_UNTIL_MS = 500;
const RETRY_FIRST_MS = 10;
const RETRY_MAX_MS = 200;
const BEGIN: Statement = { sql: "BEGIN IMMEDIATE", args: [] };
const COMMIT: Statement = { sql: "COMMIT", args: [] };
const ROLLBACK: Statement = { sql: "ROLLBACK", args: [] };

/**
 * Runs a group and answers its callers after the commit. Returns the members that it had no time for, which keep waiting.
 * Throws if nothing is known to be kept.
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

/** Makes at most one round trip. Returns true when the group is finished. */
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

/** Closes a stream, because one that a server still holds blocks others. A server that is down releases it by itself. */
export async function abandon(stream: Stream): Promise<void> {
  if (!stream.isOpen) return;
  try {
    await stream.send([{ statement: ROLLBACK, condition: null }], "last");
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}

/** The statements of a batch with their conditions, and the members that some of them belong to. */
class Batch {
  readonly steps: Step[] = [];
  readonly asked = new Set<number>();
  /** Condition that everything so far has succeeded; null: there is nothing so far. */
  soFar: Condition | null = null;

  /** Adds a statement that runs if all before it succeeded. Returns its index. */
  add(statement: Statement): number {
    return this.addIf(this.soFar, statement);
  }

  addIf(condition: Condition | null, statement: Statement): number {
    const step = this.steps.push({ statement, condition }) - 1;
    this.soFar = { type: "ok", step };
    return step;
  }
}

/** Indexes of a statement, and of the check that its rows exist. */
interface AskedStep {
  readonly at: number;
  readonly check: number | null;
}

/** The statements of one member within a batch. */
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
        // SQLite has RAISE only in triggers, so text that is not JSON makes the statement fail.
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
    // Only this member is rolled back. Those after it continue.
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

/** Adds the deferred statements and the commit. If the transaction is still open after it, it is rolled back. */
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

/** Sends a batch, and repeats it while another client holds the lock. If BEGIN was refused, nothing has run. */
export async function sentOnceUnlocked(
  stream: Stream,
  steps: readonly Step[],
  { isLast, busyTimeout }: Pick<GroupOptions, "busyTimeout"> & {
    readonly isLast: boolean;
  },
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

/** Returns usable answers. A transaction that the engine gave up fails everyone who shares it. */
function usable(answers: readonly StepAnswer[], { asked }: Batch): readonly StepAnswer[] {
  for (const [at, answer] of answers.entries()) {
    if (answer.kind !== "error") continue;
    if (!asked.has(at) || answer.error instanceof DatabaseUnavailableError) throw answer.error;
  }
  return answers;
}

/** Answers members in order, as long as the assumptions under which they were sent hold. */
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

/** Answers a member's calls, and waits until it asks again or ends. */
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
    // The call that caused the failure is answered first.
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
 * Returns true when the member has finished, or leaves the transaction unchanged until its end. Otherwise sets where to roll
 * back to.
 */
function isOut(group: Group, member: Member, later: Member | null): boolean {
  const backTo = (one: Member) => ({ sql: `ROLLBACK TO ${nameOf(group, one)}`, args: [] });
  if (member.outcome?.kept === false) {
    // A member without company can use the whole transaction.
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
