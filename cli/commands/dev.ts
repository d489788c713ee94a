/** `dev [folder]`: compiles, migrates, serves, and does so again with every change (definitions 8). */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Arguments, type Command, CommandError, UsageError } from "../command.ts";
import { devFolderOf } from "../dev/dev_folder.ts";
import { DevSession } from "../dev/dev_session.ts";
import { readProjectFolder } from "../project_folder.ts";
import { stopSignal } from "../dev/stop_signal.ts";

const DEFAULT_PROJECT = fileURLToPath(new URL("../../examples/helpdesk", import.meta.url));

export const devCommand: Command = {
  name: "dev",
  usage: "[folder]",
  summary:
    "Compiles a project, serves its API and follows every change; without a folder, the example",
  positionals: { least: 0, most: 1 },
  options: {
    port: { type: "string" },
    host: { type: "string" },
    fresh: { type: "boolean" },
    "no-playground": { type: "boolean" },
  },
  optionHelp: {
    port: "Where the API listens; else PORT, else the project's dev.port, else 8000",
    host: "Address to listen on, 127.0.0.1 unless said otherwise",
    fresh: "Start over: drop the development database and its migrations",
    "no-playground": "Serve the API without the page for editing and trying it",
  },
  async run(args, terminal) {
    const port = requestedPort(args);
    const project = resolve(args.positionals[0] ?? DEFAULT_PROJECT);
    await readProjectFolder(project);
    const folder = await devFolderOf(project, Deno.cwd());
    if (args.flags.has("fresh")) await removeFolder(folder);
    const stop = stopSignal();
    const session = new DevSession({
      project,
      folder,
      port,
      hostname: args.values.get("host") ?? "127.0.0.1",
      hasPlayground: !args.flags.has("no-playground"),
      terminal,
      stop,
    });
    try {
      await session.run();
    } finally {
      await session.close();
    }
    return 0;
  },
};

/** Null when nobody asked for one. */
function requestedPort({ values }: Arguments): number | null {
  const option = values.get("port");
  const text = option ?? Deno.env.get("PORT");
  if (!text) return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 1 && port <= 65535) return port;
  const message = `Port "${text}" is not a number from 1 to 65535`;
  throw option === undefined ? new CommandError(message) : new UsageError(message);
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
