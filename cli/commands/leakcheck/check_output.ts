/** Checks a compiled output for leaks: two threads of it, over two databases. */
import { join } from "node:path";
import {
  leakcheck,
  type LeakcheckOptions,
  type LeakHost,
  type LeakReport,
} from "../../../proof/leakcheck/leakcheck.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { TwinThread } from "./twin_thread.ts";

export function checkOutput(folder: string, options: LeakcheckOptions = {}): Promise<LeakReport> {
  return withTwins(folder, (model, host) => leakcheck(model, host, options));
}

/** The output's model, and what opens pairs of databases, for as long as `body` takes. */
export async function withTwins<T>(
  folder: string,
  body: (model: ProjectModel, host: LeakHost) => Promise<T>,
): Promise<T> {
  const databases = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  using one = new TwinThread();
  using other = new TwinThread();
  try {
    const [model] = await Promise.all([
      one.load(folder, join(databases, "one")),
      other.load(folder, join(databases, "other")),
    ]);
    return await body(model, {
      open: (rows, others) => Promise.all([one.open(rows), other.open(others)]),
    });
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}
