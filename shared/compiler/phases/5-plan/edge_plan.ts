/** Additional files of a project with `defineRuntime("cloudflare")` (definitions 2). */
import { wranglerFile } from "../../platforms/cloudflare/wrangler_file.ts";
import type { GeneratedFile, RawFiles } from "../../host.ts";
import type { PlanInput } from "./plan.ts";

interface EdgePlan {
  readonly files: readonly GeneratedFile[];
  /** Its template and the modules that only a worker loads. */
  readonly carried: RawFiles;
}

const NONE: EdgePlan = { files: [], carried: {} };

export function planEdge({ model, definitions, host }: PlanInput): EdgePlan {
  if (model.runtime !== "cloudflare") return NONE;
  const wrangler = wranglerFile(model, definitions.wrangler);
  if (wrangler.kind !== "merged") throw new Error("wrangler.toml was checked with the definitions");
  return {
    files: [{ path: "wrangler.toml", content: wrangler.text }],
    carried: { ...host.cloudflare?.template, ...host.cloudflare?.vendored },
  };
}
