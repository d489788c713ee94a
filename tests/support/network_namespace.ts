/** Runs a command in a network of its own, where a public address belongs to this machine and nothing else is to be reached. */

/** Of the one address that answers there, besides loopback. */
export const PUBLIC_ADDRESS = "93.184.216.34";

/** Null: such a network can be made here; otherwise why not. */
export async function namespaceMissing(): Promise<string | null> {
  const said = await inNamespace("true");
  if (said === "") return null;
  console.log("private network: skipped, no network namespace can be made here");
  return said;
}

/** What the command prints; an error's text when it fails. */
export async function inNamespace(command: string): Promise<string> {
  const script = `ip link set lo up && ip addr add ${PUBLIC_ADDRESS}/32 dev lo && ${command}`;
  try {
    const { success, stdout, stderr } = await new Deno.Command("unshare", {
      args: ["--net", "sh", "-c", script],
    }).output();
    return new TextDecoder().decode(success ? stdout : stderr);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return error.message;
    throw error;
  }
}

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** A command line that runs a script of this folder. */
export function scriptCommand(name: string, ...args: readonly string[]): string {
  const script = new URL(`./${name}`, import.meta.url).pathname;
  const words = [Deno.execPath(), "run", "-A", "--no-check", "--config", CONFIG, script, ...args];
  return words.map((word) => `'${word}'`).join(" ");
}
