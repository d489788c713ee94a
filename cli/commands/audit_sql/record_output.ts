/**
 * Sends a compiled project every request that its model implies, as every class of caller, and records the statements that its
 * database runs: those of its runtime and of its author's handlers, over seeded rows.
 */
import {
  JOB_RUN,
  type RecordedRequest,
  type RecordedStatement,
} from "../../../proof/audit/statement_record.ts";
import { soloFor, type TwinApi } from "../../../proof/leakcheck/leakcheck.ts";
import type { Corpus, Question } from "../../../proof/questions/question.ts";
import { twinWorldsOf, type World } from "../../../proof/rows/mod.ts";
import { hasJobs } from "../../../shared/model/mod.ts";
import { SCOPE_PARAMETER } from "../../../shared/surface/mod.ts";
import { type CompiledCode, loadCompiled } from "../leakcheck/compiled_code.ts";
import { steppingClock } from "../leakcheck/fixed_world.ts";
import { openTwin } from "../leakcheck/open_twin.ts";
import { type Recorder, recordStatements } from "./record_statements.ts";

interface RecordingListener {
  /** Called when a class of callers begins. */
  principal(name: string): void;
  request(request: RecordedRequest): Promise<void> | void;
}

export async function recordOutput(
  folder: string,
  listener: RecordingListener,
  only?: readonly string[],
  isEnough: () => boolean = () => false,
): Promise<void> {
  const code = await loadCompiled(folder);
  const databases = await Deno.makeTempDir({ prefix: "quickback-audit-" });
  try {
    for (const principal of twinWorldsOf(code.project)) {
      if (only?.includes(principal.name) === false) continue;
      listener.principal(principal.name);
      await recordPrincipal(principal, { code, databases, listener, isEnough });
    }
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}

interface Recording {
  readonly code: CompiledCode;
  readonly databases: string;
  readonly listener: RecordingListener;
  readonly isEnough: () => boolean;
}

async function recordPrincipal(
  principal: World,
  { code, databases, listener, isEnough }: Recording,
): Promise<void> {
  const { project } = code;
  const recorder = recordStatements();
  const { corpus, rows } = soloFor(project, principal);
  const folder = await Deno.makeTempDir({ dir: databases });
  const { wrap } = recorder;
  const runs: JobRun[] = [];
  let job: string | null = null;
  const turnTo = (next: string) => {
    const statements = recorder.taken();
    if (job !== null) runs.push({ job, statements });
    job = next;
  };
  const api = await openTwin(noting(code, turnTo), {
    clock: steppingClock(),
    rows,
    folder,
    wrap,
  });
  try {
    await askAll(corpus, { principal, recorder, api, listener, isEnough });
    if (!hasJobs(project)) return;
    await api.deliveries();
    turnTo("");
    const caller = { ...principal.caller, roles: [], userRole: null };
    for (const { job: path, statements } of runs) {
      await listener.request({
        method: JOB_RUN,
        path,
        principal: principal.name,
        caller,
        statements,
      });
    }
  } finally {
    await api.close();
  }
}

interface JobRun {
  readonly job: string;
  /** Statements from the beginning of the job's run to that of the next: jobs run one after the other. */
  readonly statements: readonly RecordedStatement[];
}

/** Returns the code with a notification before each run of a job. */
function noting(code: CompiledCode, onRun: (job: string) => void): CompiledCode {
  const { authored } = code;
  const jobs = Object.entries(authored.jobs ?? {}).map(([name, job]) => {
    const run = (...given: readonly unknown[]): unknown => {
      onRun(name);
      return Reflect.apply(job.run, job, given);
    };
    return [name, { input: job.input, run }];
  });
  return { ...code, authored: { ...authored, jobs: Object.fromEntries(jobs) } };
}

interface RecordedRun extends Pick<Recording, "listener" | "isEnough"> {
  readonly principal: World;
  readonly recorder: Recorder;
  readonly api: TwinApi;
}

async function askAll(corpus: Corpus, asking: RecordedRun): Promise<void> {
  const { recorder, api, principal: { caller }, listener, isEnough } = asking;
  recorder.taken();
  let turn = corpus.next();
  while (!turn.done && !isEnough()) {
    const question = turn.value;
    const heard = await api.ask(question, caller);
    await listener.request(recorded(question, asking));
    turn = corpus.next(heard);
  }
}

function recorded(
  { method, path, body }: Question,
  { principal: { name, caller }, recorder }: RecordedRun,
): RecordedRequest {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  return {
    method,
    path,
    body,
    principal: name,
    // An anonymous caller is in the organization that their request names.
    caller: caller.credential === "none"
      ? { ...caller, organizationId: query.get(SCOPE_PARAMETER) }
      : caller,
    statements: recorder.taken(),
  };
}
