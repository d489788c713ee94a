/** Code that forgets its promises does not end the process of everybody else. */
import { assertEquals } from "@std/assert";

/** Each step follows the log line of the one before: no timer races another. */
const SCRIPT = `import { logUncaught } from ${
  JSON.stringify(new URL("../../../library/platform/log_uncaught.ts", import.meta.url).href)
};
const next = [
  () => setTimeout(() => { throw new Error("late"); }),
  () => setTimeout(() => console.log("alive")),
];
logUncaught({
  log: ({ level, message, error }) => {
    console.log(level, message, error.message);
    next.shift()?.();
  },
});
void Promise.reject(new Error("forgotten"));
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
