/** Somebody at a machine of their own: a folder, and an environment in which nothing is installed but what a test links. */

export interface Person {
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function run(program: string, args: readonly string[], person: Person) {
  const { code, stdout, stderr } = await command(program, args, person).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Gives the body a program that runs beside it, and ends that afterwards. */
export async function beside(
  child: Deno.Command,
  body: () => Promise<void>,
): Promise<void> {
  const process = child.spawn();
  try {
    await body();
  } finally {
    process.kill("SIGTERM");
    await process.status;
  }
}

export function command(
  program: string,
  args: readonly string[],
  { work, env }: Person,
  stdio: "piped" | "null" = "piped",
): Deno.Command {
  return new Deno.Command(program, {
    args: [...args],
    cwd: work,
    env: { ...env },
    clearEnv: true,
    stdin: "null",
    stdout: stdio,
    stderr: stdio,
  });
}
