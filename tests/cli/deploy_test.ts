/** `deploy` and `upgrade`: nothing is done until it is asked for. */
import { userInfo } from "node:os";
import { join } from "node:path";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ifThere } from "../../library/platform/if_there.ts";
import { inFolder, runCli, runHere } from "./command_line.ts";

const FILES = {
  "src/main.ts": "",
  "src/worker.ts": "",
  "Dockerfile": "",
  "wrangler.toml": "",
  ".env": "AUTH_SECRET=x\nAPP_ENV=production\n",
};

for (const target of ["docker", "fly", "deno-deploy", "cloudflare", "systemd"]) {
  Deno.test(`deploy ${target} prints its steps and runs none of them`, () =>
    inOutput(FILES, async ({ cwd, env }) => {
      const { code, out, err } = await runCli(["deploy", target, "my-api"], { cwd, env });
      assertEquals(code, 0, err);
      assertStringIncludes(out, "# Nothing was run. With --run");
      assertEquals(
        await namesIn(join(cwd, "my-api")),
        [...new Set(Object.keys(FILES).map(topOf))].sort(),
      );
      const json = await runHere(["deploy", target, "my-api", "--json"], { cwd, env });
      const { ran, steps } = JSON.parse(json.out);
      assertEquals([ran, steps.length > 1], [false, true]);
    }));
}

Deno.test("deploy --run runs the steps in their order, and ends with the first that fails", () =>
  inOutput(FILES, async ({ cwd, env }) => {
    const args = ["deploy", "docker", "my-api", "--run"];
    assertEquals((await runCli(args, { cwd, env })).code, 0);
    const calls = await Deno.readTextFile(join(cwd, "calls"));
    const words = (text: string) => text.split("\n").map((line) => line.split(" ")[0]);
    assertEquals(words(calls), ["build", "ps", "ps", "run", ""]);
    await Deno.writeTextFile(join(cwd, "calls"), "");
    // The second time, the container of the first is there.
    assertEquals((await runCli(args, { cwd, env: { ...env, RUNS: "c0ffee" } })).code, 0);
    const again = await Deno.readTextFile(join(cwd, "calls"));
    assertStringIncludes(again, "\nstop c0ffee\n");
    assertStringIncludes(again, "\nrm c0ffee\n");
    assertEquals(words(again), ["build", "ps", "stop", "ps", "rm", "run", ""]);
    await Deno.writeTextFile(join(cwd, "calls"), "");
    const failed = await runCli(args, { cwd, env: { ...env, FAILS: "1" } });
    assertEquals(failed.code, 1);
    assertStringIncludes(failed.err, "It ended with 7");
    assertEquals((await Deno.readTextFile(join(cwd, "calls"))).split("\n").length, 2);
  }));

Deno.test("deploy prints commands that a shell takes as they are", () =>
  inOutput(FILES, async ({ cwd, env }) => {
    const { out } = await runHere(["deploy", "fly", "my-api"], { cwd, env });
    const secrets = `grep -E "^[A-Z0-9_]+=." .env | fly secrets import --stage --app "$1"`;
    assertStringIncludes(out, `\nsh -c '${secrets}' sh my-api\n`);
  }));

/** Names of folders that a shell, a unit of systemd or a target would read otherwise. */
const HOSTILE = ["x$(touch pwned)", "x;touch pwned", "x`touch pwned`", "x\ntouch pwned", "ä"];

for (const target of ["docker", "fly", "deno-deploy", "cloudflare", "systemd"]) {
  Deno.test(`deploy ${target} runs and prints nothing of a folder whose name is no name`, () =>
    inOutput(FILES, async ({ cwd, env }) => {
      for (const hostile of HOSTILE) {
        await Deno.rename(join(cwd, "my-api"), join(cwd, hostile));
        for (const more of [[], ["--run"]]) {
          const args = ["deploy", target, `./${hostile}`, ...more];
          const { code, out, err } = await runHere(args, { cwd, env });
          assertEquals([code, out], [1, ""], err);
        }
        assertEquals(await namesIn(cwd), ["programs", hostile].sort());
        const named = ["deploy", target, `./${hostile}`, "--name", "my-api"];
        const { code, out } = await runHere(named, { cwd, env });
        assertEquals(code, hostile.includes("\n") ? 1 : 0);
        // The folder is one word of a unit or of a comment, and of no command.
        const commands = out.split("\n").filter((line) => !line.startsWith("#"));
        assertEquals(commands.filter((line) => line.includes("pwned")), []);
        await Deno.rename(join(cwd, hostile), join(cwd, "my-api"));
      }
    }));
}

Deno.test("deploy systemd starts what is new, for whoever deploys it", () =>
  inOutput(FILES, async ({ cwd, env }) => {
    const { out } = await runHere(["deploy", "systemd", "my-api"], { cwd, env });
    assertStringIncludes(out, `\n#   User=${userInfo().username}\n`);
    assertStringIncludes(out, "\nsudo systemctl enable my-api.service\n");
    assertStringIncludes(out, "\nsudo systemctl restart my-api.service\n");
  }));

Deno.test("deploy says what an output lacks, and which targets there are", async () => {
  const { ".env": _env, ...rest } = FILES;
  await inOutput(rest, async ({ cwd, env }) => {
    const secretless = await runHere(["deploy", "docker", "my-api"], { cwd, env });
    assertEquals(secretless.code, 1);
    assertStringIncludes(secretless.err, "has no .env: copy .env.example");
    const unknown = await runHere(["deploy", "heroku", "my-api"], { cwd, env });
    assertEquals(unknown.code, 2);
    assertStringIncludes(unknown.err, "one of docker, fly, deno-deploy, cloudflare, systemd");
    assertEquals((await runHere(["deploy", "docker", "nowhere"], { cwd, env })).code, 1);
  });
});

for (const [line, said] of [["APP_ENV=", ""], ["", ""], ["APP_ENV=development", "development"]]) {
  Deno.test(`deploy refuses a .env that says "${line}": what it deploys would be open to guesses`, () =>
    inOutput({ ...FILES, ".env": `AUTH_SECRET=x\n${line}\n` }, async ({ cwd, env }) => {
      for (const target of ["docker", "fly", "deno-deploy", "cloudflare", "systemd"]) {
        const { code, err } = await runHere(["deploy", target, "my-api", "--run"], { cwd, env });
        assertEquals(code, 1);
        assertStringIncludes(err, `says APP_ENV=${said}: a deployment says APP_ENV=production`);
      }
      assertEquals(await ifThere(Deno.stat(join(cwd, "calls"))), null);
    }));
}

Deno.test("upgrade tells what lies between two versions, and writes a pin when it is told to", () =>
  inFolder(async (cwd) => {
    const manifest = join(cwd, "package.json");
    await Deno.writeTextFile(manifest, '{ "devDependencies": { "quickback": "^0.0.9" } }');
    const told = await runCli(["upgrade"], { cwd });
    assertEquals(told.code, 0, told.err);
    assertStringIncludes(told.out, "0.1.0\n  added");
    assertStringIncludes(await Deno.readTextFile(manifest), "^0.0.9");
    const { from, to, releases } = JSON.parse((await runHere(["upgrade", "--json"], { cwd })).out);
    assertEquals([from, to, releases[0].version], ["0.0.9", "0.1.0", "0.1.0"]);
    assertEquals((await runHere(["upgrade", "--write"], { cwd })).code, 0);
    assertStringIncludes(await Deno.readTextFile(manifest), '"quickback": "^0.1.0"');
    assertStringIncludes((await runHere(["upgrade"], { cwd })).out, "nothing changes");
    const unknown = await runHere(["upgrade", "--to", "9.9.9"], { cwd });
    assertEquals(unknown.code, 1);
    assertStringIncludes(unknown.err, 'Version "9.9.9" is not known here');
  }));

Deno.test("upgrade leaves the pin of an output to the next compile: its lock says the same", () =>
  inFolder(async (cwd) => {
    const config = JSON.stringify({
      quickback: { compiler: "0.0.9" },
      imports: { quickback: "npm:quickback@0.0.9" },
    });
    await Deno.writeTextFile(join(cwd, "deno.json"), config);
    const told = await runHere(["upgrade", "--write"], { cwd });
    assertEquals(told.code, 0, told.err);
    assertStringIncludes(told.out, "is an output: compile its project with quickback 0.1.0");
    assertEquals(await Deno.readTextFile(join(cwd, "deno.json")), config);
  }));

interface Output {
  readonly cwd: string;
  /** With a `docker` that notes how it was called. */
  readonly env: Readonly<Record<string, string>>;
}

async function inOutput(
  files: Readonly<Record<string, string>>,
  body: (output: Output) => Promise<void>,
): Promise<void> {
  await inFolder(async (cwd) => {
    await Deno.mkdir(join(cwd, "my-api/src"), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(cwd, "my-api", path), text);
    }
    await Deno.mkdir(join(cwd, "programs"));
    const docker = `#!/bin/sh\necho "$@" >> ${cwd}/calls\n[ -z "$FAILS" ] || exit 7
[ "$1" != ps ] || echo "$RUNS"\n`;
    await Deno.writeTextFile(join(cwd, "programs/docker"), docker, { mode: 0o755 });
    await body({ cwd, env: { PATH: `${cwd}/programs:${Deno.env.get("PATH")}` } });
  });
}

function topOf(path: string): string {
  return path.split("/")[0] ?? path;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}
