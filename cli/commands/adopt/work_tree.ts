/** The state of a folder in git: what is committed can be taken back. */

export type WorkTree =
  | { readonly kind: "none" }
  /** `because`: what git would not bring back. */
  | { readonly kind: "dirty"; readonly because: string }
  | { readonly kind: "clean" };

/** `changed`: paths in the folder that are to be overwritten or removed; each must be git's already. */
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

/** Its output; null: there is no git, or the folder is in no work tree. */
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
