/** Code that forgets its promises does not end the process of everybody else. */
import { assertEquals } from "@std/assert";

const SCRIPT = `import { logUncaught } from ${
  JSON.stringify(new URL("../../../platform/log_uncaught.ts", import.meta.url).href)
};
logUncaught({ log: ({ level, message, error }) => console.log(level, message, error.message) });
void Promise.reject(new Error("forgotten"));
setTimeout(() => { throw new Error("late"); }, 1);
setTimeout(() => console.log("alive"), 20);
`;

Deno.test("a forgotten promise and a late error are logged, and the process goes on", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, SCRIPT);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-config", file],
  }).output();
  assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), [
    "error A promise was rejected that nobody waited for forgotten",
    "error An error was thrown that nobody could catch late",
    "alive",
  ]);
  assertEquals(code, 0);
  await Deno.remove(file);
});
