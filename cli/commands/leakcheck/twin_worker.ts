/** Runs the thread of one of two databases, with its own copy of the author's code and of its state. */
import type { FrameRecorder, TwinApi } from "../../../proof/leakcheck/leakcheck.ts";
import { type CompiledCode, loadCompiled } from "./compiled_code.ts";
import { fixWorld, steppingClock } from "./fixed_world.ts";
import { openTwin } from "./open_twin.ts";
import type { TwinAnswers, TwinOrder, TwinReply } from "./twin_messages.ts";

interface State {
  code: CompiledCode | null;
  databases: string;
  api: TwinApi | null;
  listening: FrameRecorder | null;
}

const clock = steppingClock();
fixWorld(clock);
const state: State = { code: null, databases: "", api: null, listening: null };

self.addEventListener("message", async ({ data }: MessageEvent<TwinOrder>) => {
  self.postMessage(await replyTo(data));
});

async function replyTo(order: TwinOrder): Promise<TwinReply> {
  try {
    return { kind: "done", answer: await runOrder(order) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.stack ?? "" : String(error) };
  }
}

async function runOrder(order: TwinOrder): Promise<TwinAnswers[TwinOrder["kind"]]> {
  switch (order.kind) {
    case "load":
      state.databases = order.databases;
      state.code = await loadCompiled(order.folder);
      return state.code.project;
    case "open":
      if (state.code === null) throw new Error("Nothing is loaded");
      state.api = await openTwin(state.code, { clock, ...order, folder: state.databases });
      return null;
    case "ask":
      return await api().ask(order.question, order.caller);
    case "listen":
      state.listening = await api().listen(order.caller);
      return state.listening !== null;
    case "frames":
      return await state.listening?.heard() ?? null;
    case "deliveries":
      return await api().deliveries();
    case "close":
      await api().close();
      state.api = state.listening = null;
      return null;
  }
}

function api(): TwinApi {
  if (state.api === null) throw new Error("No database is open");
  return state.api;
}
