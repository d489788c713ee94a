/**
 * Asks a compiled project everything that its model implies, as every class of caller, and keeps the statements that this makes
 * its database run: its own runtime and its author's handlers, over seeded rows.
 */
import type { RecordedRequest } from "../../shared/audit/mod.ts";
import type { PrincipalClass } from "../../shared/conformance/mod.ts";
import {
  type Corpus,
  type Question,
  soloCallers,
  soloFor,
  type TwinApi,
} from "../../shared/leakcheck/mod.ts";
import type { Principal } from "../../shared/model/principal.ts";
import { SCOPE_PARAMETER } from "../../shared/surface/parameters.ts";
import { type CompiledCode, loadCompiled } from "../leakcheck/compiled_code.ts";
import { openTwin } from "../leakcheck/open_twin.ts";
import { steppingClock } from "../leakcheck/stepping_clock.ts";
import { keysetQuestions } from "./keyset_questions.ts";
import { newRecorder, type Recorder } from "./recording_database.ts";

export interface RecordingListener {
  /** A class of callers begins. */
  principal(name: string): void;
  request(request: RecordedRequest): Promise<void> | void;
}

export async function recordOutput(folder: string, listener: RecordingListener): Promise<void> {
  const code = await loadCompiled(folder);
  const databases = await Deno.makeTempDir({ prefix: "quickback-audit-" });
  try {
    for (const principal of soloCallers(code.project)) {
      listener.principal(principal.name);
      await recordPrincipal(principal, { code, databases, listener });
    }
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}

interface Recording {
  readonly code: CompiledCode;
  readonly databases: string;
  readonly listener: RecordingListener;
}

async function recordPrincipal(
  principal: PrincipalClass,
  { code, databases, listener }: Recording,
): Promise<void> {
  const { project } = code;
  const recorder = newRecorder();
  const { corpus, rows } = soloFor(project, principal.caller);
  const folder = await Deno.makeTempDir({ dir: databases });
  const { wrap } = recorder;
  const api = await openTwin(code, { clock: steppingClock(), rows, folder, wrap });
  try {
    const asking: Asking = { principal, recorder, api, listener };
    // Reads first: the corpus ends by deleting.
    await askAll(keysetQuestions(project, principal.caller), asking);
    await askAll(corpus, asking);
  } finally {
    await api.close();
  }
}

interface Asking extends Pick<Recording, "listener"> {
  readonly principal: PrincipalClass;
  readonly recorder: Recorder;
  readonly api: TwinApi;
}

async function askAll(corpus: Corpus, asking: Asking): Promise<void> {
  const { recorder, api, principal: { caller }, listener } = asking;
  recorder.taken();
  let turn = corpus.next();
  while (!turn.done) {
    const question = turn.value;
    const heard = await api.ask(question, caller);
    await listener.request(recorded(question, asking));
    turn = corpus.next(heard);
  }
}

function recorded(
  { method, path, body }: Question,
  { principal: { name, caller }, recorder }: Asking,
): RecordedRequest {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  return {
    method,
    path,
    body,
    principal: name,
    caller: scoped(caller, query.get(SCOPE_PARAMETER)),
    statements: recorder.taken(),
  };
}

/** An anonymous caller is in the organization that they name. */
function scoped(caller: Principal, organizationId: string | null): Principal {
  return caller.credential === "none" ? { ...caller, organizationId } : caller;
}
