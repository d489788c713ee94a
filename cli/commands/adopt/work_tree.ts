/** Reads the state of a folder in git: committed files can be restored. */

export type WorkTree =
  | { readonly kind: "none" }
  /** `because`: changes that git could not restore. */
  | { readonly kind: "dirty"; readonly because: string }
  | { readonly kind: "clean" };

/** Returns the state. `changed`: paths in the folder that will be overwritten or removed; git must have each of them. */
export async function workTreeOf(folder: string, changed: readonly string[]): Promise<WorkTree> {
  const status = await git(folder, ["status", "--porcelain", "--untracked-files=all", "--", "."]);
  if (status === null) return { kind: "none" };
  const [first] = status.split("\n");
  if (first) return { kind: "dirty", because: `git status says "${first.trim()}"` };
  const tracked = new Set((await git(folder, ["ls-files", "-z"]) ?? "").split("\0"));
  const lost = changed.find((path) => !tracked.has(path));
  return lost === undefined
    ? { kind: "clean" }
    : { kind: "dirty", because: `git does not know ${lost}` };
}

/** Runs git and returns its output; null: there is no git, or the folder is in no work tree. */
async function git(folder: string, args: readonly string[]): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["-C", folder, ...args],
      env: { LC_ALL: "C" },
      stdin: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
