/** The connection goes to the address that passed, whatever the name means by then (contract 8.2, traps 15). */
import { assertEquals } from "@std/assert";
import {
  inNamespace,
  namespaceMissing,
  PUBLIC_ADDRESS,
  scriptCommand,
} from "../../support/network_namespace.ts";

Deno.test({
  name: "a name that changes its meaning between check and call is called where it was checked",
  ignore: await namespaceMissing() !== null,
  async fn() {
    const said = await inNamespace(scriptCommand("private_network.ts", PUBLIC_ADDRESS));
    assertEquals(JSON.parse(said), {
      arrived: [`${PUBLIC_ADDRESS} hooks.example.com`],
      after: "refused",
    });
  },
});
