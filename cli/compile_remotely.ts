/** Compiles at a build service (contract 4.8). Its answer is validated before any of it is used. */
import { z } from "zod";
import { HEADERS } from "../shared/contract/mod.ts";
import type { Diagnostic } from "../shared/compiler/diagnostics/diagnostic.ts";
import type { RawFiles } from "../shared/compiler/host.ts";
import { sha256Hex } from "../shared/lib/bytes.ts";
import { EnvironmentError, UsageError } from "./exit_codes.ts";
import type { OutputFile } from "./output_folder.ts";
import { SERVICE_TEXT } from "./service_text.ts";
import { readSession, sessionFile } from "./session_store.ts";

export interface BuildServiceAddress {
  readonly origin: string;
  /** Headers that authenticate at the service: a key, or the session of `login`. */
  readonly credentials: Readonly<Record<string, string>>;
}

interface RemoteCompile {
  /** Errors; empty if the compile succeeded. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly files: readonly OutputFile[];
}

/** Returns the origin of the address; refuses an invalid one. */
export function serviceOrigin(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) {
    throw new UsageError(`Option --service takes a URL such as https://build.example.com`);
  }
  return parsed.origin;
}

/** Returns the service with a key if there is one, or else with the stored session of `login`. */
export async function buildServiceAddress(
  url: string,
  apiKey: string | undefined,
): Promise<BuildServiceAddress> {
  const origin = serviceOrigin(url);
  // `deno task service` takes several keys; each of them is valid.
  const key = apiKey?.split(",")[0]?.trim();
  if (key) return { origin, credentials: { [HEADERS.apiKey]: key } };
  const session = await readSession(sessionFile(), origin);
  if (session !== null) {
    return { origin, credentials: { authorization: `Bearer ${session.token}` } };
  }
  throw new EnvironmentError(
    "Set SERVICE_API_KEY to a key of the build service, or sign in: quickback login --service <url>",
  );
}

export async function compileRemotely(
  rawFiles: RawFiles,
  actionInputSchemas: Readonly<Record<string, unknown>>,
  { origin, credentials }: BuildServiceAddress,
): Promise<RemoteCompile> {
  const input = JSON.stringify({ rawFiles, actionInputSchemas });
  const stream = new Blob([input]).stream().pipeThrough(
    new CompressionStream("gzip"),
  );
  const response = await fetchService(`${origin}/compile`, {
    method: "POST",
    headers: {
      ...credentials,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body: await new Response(stream).arrayBuffer(),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return await compiled(answer, origin);
  // A failed compile is reported as such; any other refusal ends the command.
  const problem = PROBLEM.safeParse(answer);
  if (!problem.success) throw new EnvironmentError(`The build service answered ${response.status}`);
  const { title, detail = title, hint, errors } = problem.data;
  if (errors === undefined) {
    throw new EnvironmentError(hint === undefined ? detail : `${detail}: ${hint}`);
  }
  return {
    files: [],
    warnings: [],
    errors: errors.map(({ code, message, file, line, column, hint }) => ({
      code,
      message,
      severity: "error",
      place: { file, line, column, length: 1 },
      hint,
    })),
  };
}

async function fetchService(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new EnvironmentError(`No build service answers at ${url}`);
    }
    throw error;
  }
}

const RESULT = z.object({
  files: z.array(z.object({ path: SERVICE_TEXT, content: z.string(), sha256: z.string() })),
  warnings: z.array(
    z.object({ code: SERVICE_TEXT, message: SERVICE_TEXT, file: SERVICE_TEXT, line: z.int() }),
  ),
});

async function compiled(answer: unknown, origin: string): Promise<RemoteCompile> {
  const result = RESULT.safeParse(answer);
  if (!result.success) {
    throw new EnvironmentError(`${origin} does not answer as a build service does`);
  }
  const { files, warnings } = result.data;
  for (const file of files) {
    if (await sha256Hex(file.content) !== file.sha256) {
      throw new EnvironmentError(
        `File "${file.path}" is not what the build service made: compile again`,
      );
    }
  }
  return {
    files: files.map(({ path, content }) => ({ path, content })),
    errors: [],
    warnings: warnings.map(({ code, message, file, line }) => ({
      code,
      message,
      severity: "warning",
      place: { file, line, column: 1, length: 1 },
      hint: null,
    })),
  };
}

const PROBLEM = z.object({
  title: SERVICE_TEXT,
  detail: SERVICE_TEXT.optional(),
  hint: SERVICE_TEXT.optional(),
  errors: z.array(
    z.object({
      code: SERVICE_TEXT,
      message: SERVICE_TEXT,
      file: SERVICE_TEXT,
      line: z.int(),
      column: z.int(),
      hint: SERVICE_TEXT.nullable(),
    }),
  ).min(1).optional(),
});
