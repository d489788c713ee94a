/** Lists the platforms by name. Each has one record, here or in a file of its name if it has files and rules of its own. */
import type { PlatformName } from "../../contract/mod.ts";
import { object } from "../../definition_language/shape.ts";
import { cloudflare } from "./cloudflare.ts";
import type { Platform } from "./platform.ts";

export type { Platform, SizeLimits, Target } from "./platform.ts";

/** Modules that start subprocesses. The project's tasks run without that permission, and Deno Deploy does not support it. */
const SUBPROCESS_MODULES: ReadonlySet<string> = new Set(["child_process", "cluster"]);
const SUBPROCESS_MEMBERS: ReadonlySet<string> = new Set(["Command", "run"]);

export const TARGETS: Readonly<Record<PlatformName, Platform>> = {
  /** Record of servers and Deno Deploy, on which every output runs. */
  deno: {
    title: "Deno Deploy",
    options: object({}),
    description: "Runs on any server and on Deno Deploy, with a libSQL file or a libSQL server",
    entry: "src/main.ts",
    conditions: ["deno", "node", "import"],
    runsNodeModule: (module) => !SUBPROCESS_MODULES.has(module),
    hasDenoMember: (member) => !SUBPROCESS_MEMBERS.has(member),
    size: null,
    servesRealtime: true,
    bundlesRuntime: false,
    bundlesDescription: false,
    aliases: {},
    tasks: {},
    files: () => [],
    check: () => {},
    variables: () => [],
  },
  cloudflare,
};
