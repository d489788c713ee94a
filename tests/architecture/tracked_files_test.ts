/** Which files the repository holds: nothing that a run leaves behind, and no name at its top that nobody knows. */
import { assertEquals } from "@std/assert";

const TOP_LEVEL: readonly string[] = [
  ".ci",
  ".dockerignore",
  ".gitignore",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "Dockerfile",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "cli",
  "container",
  "deno.json",
  "deno.lock",
  "docs",
  "edge",
  "examples",
  "generated-templates",
  "library",
  "playground",
  "proof",
  "shared",
  "tests",
  "tools",
];

/** What a run makes: secrets, keys, databases and folders of development. */
const LEFT_BEHIND: readonly RegExp[] = [
  /^data\//,
  /(^|\/)\.quickback\//,
  /(^|\/)node_modules\//,
  /(^|\/)auth_secret$/,
  /(^|\/)vapid_keys\.json$/,
  /(^|\/)\.env(\.local|\.production)?$/,
  /\.(db|sqlite3?)(-shm|-wal)?$/,
  /\.(key|p12|pfx)$/,
];

async function trackedFiles(): Promise<readonly string[]> {
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["ls-files", "-z"],
    cwd: new URL("../../", import.meta.url),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
}

Deno.test("every name at the top of the repository is known, and every known one is there", async () => {
  const names = new Set((await trackedFiles()).map((path) => path.split("/")[0] ?? ""));
  assertEquals([...names].toSorted(), [...TOP_LEVEL].toSorted());
});

Deno.test("nothing that a run leaves behind is tracked", async () => {
  const left = (await trackedFiles()).filter((path) =>
    LEFT_BEHIND.some((pattern) => pattern.test(path))
  );
  assertEquals(left, []);
});
