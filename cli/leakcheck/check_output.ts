/** Checks a compiled output for leaks: two threads of it, over two databases. */
import { join } from "node:path";
import { leakcheck, type LeakcheckOptions, type LeakReport } from "../../shared/leakcheck/mod.ts";
import { TwinThread } from "./twin_thread.ts";

export async function checkOutput(
  folder: string,
  options: LeakcheckOptions = {},
): Promise<LeakReport> {
  const databases = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  using one = new TwinThread();
  using other = new TwinThread();
  try {
    const [model] = await Promise.all([
      one.load(folder, join(databases, "one")),
      other.load(folder, join(databases, "other")),
    ]);
    const open = async (rows: Parameters<TwinThread["open"]>[0], thread: TwinThread) =>
      await thread.open(rows);
    return await leakcheck(model, {
      open: (rows) => Promise.all([open(rows.one, one), open(rows.other, other)]),
    }, options);
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}
