/** `completion <shell>`: a shell that loads the script offers commands, options and their values. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { CONFIG, inFolder, MAIN, runCli } from "./command_line.ts";

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test(`completion ${shell} prints a script that asks quickback`, () =>
    inFolder(async (cwd) => {
      const { code, out } = await runCli(["completion", shell], { cwd });
      assertEquals(code, 0);
      assertStringIncludes(out, "quickback complete -- ");
    }));
}

Deno.test("bash offers what the script answers", () =>
  inFolder(async (cwd) => {
    await Deno.mkdir(`${cwd}/my-shop`);
    assertEquals(await offered(cwd, "quickback comp"), ["compile", "completion"]);
    assertEquals(await offered(cwd, "quickback validate --o"), ["--out"]);
    assertEquals(await offered(cwd, "quickback validate --format s"), ["sarif"]);
    assertEquals(await offered(cwd, "quickback validate my"), ["my-shop"]);
  }));

Deno.test("completion refuses a shell that it does not know", () =>
  inFolder(async (cwd) => {
    const { code, err } = await runCli(["completion", "tcsh"], { cwd });
    assertEquals(code, 2);
    assertStringIncludes(err, "one of bash, zsh, fish");
  }));

/** Replies of bash to the key at the end of a line, with what bash-completion gives to every script. */
async function offered(cwd: string, line: string): Promise<readonly string[]> {
  const words = line.split(" ");
  const script = `
_get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  cur=\${words[cword]} prev=\${words[cword - 1]}
}
compopt() { :; }
quickback() { "${Deno.execPath()}" run -A --config "${CONFIG}" "${MAIN}" "$@"; }
source <(quickback completion bash)
COMP_WORDS=(${words.join(" ")}) COMP_CWORD=${words.length - 1}
COMP_LINE="${line}" COMP_POINT=${line.length}
__quickback_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd,
    // The tests' own caller is not the person's.
    env: { npm_command: "", npm_config_user_agent: "" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").map((word) => word.trim());
}
