/** Runs `dev [folder]`: compiles, migrates and serves a project, again after every change (definitions 8). */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ifThere } from "../../library/platform/if_there.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import { devFolderOf } from "../dev/dev_folder.ts";
import { DevSession } from "../dev/dev_session.ts";
import { IS_INSTALLED } from "../installation.ts";
import type { Output } from "../output.ts";
import { readProjectFolder } from "../project_folder.ts";
import { stopSignal } from "../dev/stop_signal.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/helpdesk", import.meta.url));

export async function develop(args: Arguments, output: Output): Promise<ExitCode> {
  const port = requestedPort(args);
  const project = resolve(args.positionals[0] ?? await projectHere());
  await readProjectFolder(project);
  const folder = devFolderOf(project);
  if (args.flags.has("fresh")) await ifThere(Deno.remove(folder, { recursive: true }));
  const stop = stopSignal();
  const session = new DevSession({
    project,
    folder,
    port,
    hostname: args.values.get("host") ?? "127.0.0.1",
    seeds: args.flags.has("seed"),
    hasPlayground: !args.flags.has("no-playground"),
    output,
    stop,
  });
  try {
    await session.run();
  } finally {
    await session.close();
  }
  return 0;
}

/** Returns the current folder. Outside of a project, a clone uses its example; an installed package is never written to. */
async function projectHere(): Promise<string> {
  if (IS_INSTALLED) return ".";
  return await ifThere(Deno.stat("quickback")) === null ? EXAMPLE : ".";
}

/** Returns the requested port; null if none was given. */
function requestedPort({ values }: Arguments): number | null {
  const option = values.get("port");
  const text = option ?? Deno.env.get("PORT");
  if (!text) return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 1 && port <= 65535) return port;
  const message = `Port "${text}" is not a number from 1 to 65535`;
  throw option === undefined ? new CommandError(message) : new UsageError(message);
}
