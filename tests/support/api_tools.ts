/** Programs of others that read OpenAPI documents, each run as a person runs it, in a folder with the documents. */
import { join } from "node:path";
import { withTempFolder } from "./temp_folder.ts";

const PROGRAMS = {
  redocly: "npm:@redocly/cli@2.77.0",
  spectral: "npm:@stoplight/spectral-cli@6.16.3",
} as const;

export interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export type RunProgram = (
  program: keyof typeof PROGRAMS,
  args: readonly string[],
) => Promise<Ending>;

/** Writes the documents, by file name, and gives the body the programs beside them. */
export function withDocuments<T>(
  documents: Readonly<Record<string, string>>,
  body: (run: RunProgram) => Promise<T>,
): Promise<T> {
  return withTempFolder(async (folder) => {
    for (const [name, text] of Object.entries(documents)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    return await body((program, args) => runIn(folder, PROGRAMS[program], args));
  });
}

/** Without our own configuration: these programs bring their dependencies, and telemetry of theirs stays off. */
async function runIn(cwd: string, program: string, args: readonly string[]): Promise<Ending> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--no-config", program, ...args],
    cwd,
    env: { NO_COLOR: "1", REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}
