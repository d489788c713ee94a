/** Configurations that the guides give to operators, as the programs read them for which they are. */
import { join } from "node:path";
import { assert, assertEquals } from "@std/assert";
import { parse } from "smol-toml";
import { type CodeBlock, codeBlocks, readPage } from "../support/pages.ts";
import { programMissing } from "../support/run_snippet.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const proxies = codeBlocks(await readPage("docs/guides/proxies.md"));
const hosting = codeBlocks(await readPage("docs/guides/hosting.md"));
const noNginx = await programMissing("nginx", "-v");
const noCaddy = await programMissing("caddy", "version");
const noSystemd = await programMissing("systemd-analyze", "--version");

Deno.test({
  name: "nginx takes its configuration, with and without compression",
  ignore: noNginx !== null,
  fn: () =>
    withTempFolder(async (folder) => {
      const [site = "", compressed = ""] = of(proxies, "nginx");
      for (const server of [site, site.replace(/\}\s*$/, `${compressed}\n}`)]) {
        const config = join(folder, "nginx.conf");
        const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
          .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
        await Deno.writeTextFile(
          config,
          `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${server}\n}`,
        );
        await succeeds("nginx", ["-t", "-e", join(folder, "error.log"), "-c", config]);
      }
    }),
});

Deno.test({
  name: "Caddy takes its configuration",
  ignore: noCaddy !== null,
  fn: () =>
    withTempFolder(async (folder) => {
      const config = join(folder, "Caddyfile");
      await Deno.writeTextFile(config, of(proxies, "caddy").join("\n"));
      await succeeds("caddy", ["validate", "--config", config, "--adapter", "caddyfile"], {
        HOME: folder,
      });
    }),
});

Deno.test({
  name: "systemd takes the unit",
  ignore: noSystemd !== null,
  fn: () =>
    withTempFolder(async (folder) => {
      const unit = of(hosting, "ini").find((text) => text.includes("[Service]")) ?? "";
      const path = join(folder, "shop.service");
      await Deno.writeTextFile(path, unit.replace("/usr/local/bin/deno", Deno.execPath()));
      await succeeds("systemd-analyze", ["verify", path]);
    }),
});

Deno.test("what the guides write in TOML can be read", () => {
  const texts = of(hosting, "toml");
  assert(texts.length > 0);
  for (const text of texts) parse(text);
});

Deno.test("every variable that the guides set is one that an API reads", async () => {
  const known = [
    ...(await readPage("library/platform/read_environment.ts")).matchAll(/"([A-Z][A-Z_]+)"/g),
    // Deno's own.
    ...[["", "DENO_DIR"]],
  ].map(([, name]) => name);
  const set = of(hosting, "ini").flatMap((text) => [...text.matchAll(/^([A-Z][A-Z_]+)=/gm)])
    .map(([, name]) => name);
  assert(set.length > 0);
  assertEquals(set.filter((name) => !known.includes(name)), []);
});

function of(blocks: readonly CodeBlock[], language: string): readonly string[] {
  const texts = blocks.filter((block) => block.language === language).map(({ text }) => text);
  assert(texts.length > 0, `The page has no ${language}`);
  return texts;
}

async function succeeds(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args], env }).output();
  assert(success, new TextDecoder().decode(stderr));
}
