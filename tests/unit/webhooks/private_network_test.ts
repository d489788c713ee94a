/** The connection goes to the address that passed, whatever the name means by then (contract 8.2, traps). */
import { assertEquals } from "@std/assert";

const ADDRESS = "93.184.216.34";
const SCRIPT = new URL("../../support/private_network.ts", import.meta.url).pathname;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

const missing = await run("true");
if (missing !== "") console.log("private network: skipped, no network namespace can be made here");

Deno.test({
  name: "a name that changes its meaning between check and call is called where it was checked",
  ignore: missing !== "",
  async fn() {
    const deno =
      `'${Deno.execPath()}' run -A --no-check --config '${CONFIG}' '${SCRIPT}' ${ADDRESS}`;
    assertEquals(JSON.parse(await run(deno)), {
      arrived: [`${ADDRESS} hooks.example.com`],
      after: "refused",
    });
  },
});

/** What the command prints in a network that holds nothing but this address; an error's text when it fails. */
async function run(command: string): Promise<string> {
  const script = `ip link set lo up && ip addr add ${ADDRESS}/32 dev lo && ${command}`;
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
