#!/usr/bin/env node
// Runs the command line with Deno: under Node the one that came as a dependency, at its exact version.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const HERE = path.join(__dirname, "app");
const { version } = require("./package.json");
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Deno takes no TypeScript from its own cache of packages: there the sources are put beside it, once for each version. */
function appFolder() {
  if (typeof Deno === "undefined") return HERE;
  const folder = path.join(cacheFolder(), "quickback", version);
  if (fs.existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.cpSync(HERE, draft, { recursive: true });
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    // Somebody else was faster.
    fs.rmSync(draft, { recursive: true });
    if (!fs.existsSync(folder)) throw error;
  }
  return folder;
}

function cacheFolder() {
  return process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA ||
    path.join(os.homedir(), ".cache");
}

function denoProgram() {
  // Deno's own bin forwards no signal.
  return typeof Deno === "undefined"
    ? require("deno/install_api.cjs").runInstall()
    : Deno.execPath();
}

// A program that Deno runs from a package is given the mark of a task.
const env = { ...process.env, QUICKBACK_PACKAGE: __dirname };
if (typeof Deno !== "undefined") delete env.npm_config_user_agent;

const app = appFolder();
const child = spawn(
  denoProgram(),
  [
    "run",
    "--quiet",
    "--allow-all",
    // A short run costs less in little memory: a tenth of a compile.
    "--v8-flags=--max-semi-space-size=4",
    // Else a start looks through the modules of all commands.
    "--unstable-lazy-dynamic-imports",
    "--node-modules-dir=none",
    "--config",
    path.join(app, "deno.json"),
    path.join(app, "cli/main.ts"),
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", env },
);
for (const signal of ENDINGS) {
  // A terminal tells both of Ctrl-C; twice would be a second one.
  process.on(signal, () => signal === "SIGINT" && process.stdin.isTTY || child.kill(signal));
}
child.on("error", (error) => {
  console.error(`Deno cannot be started: ${error.message}`);
  process.exitCode = 3;
});
child.on("exit", (code, signal) => {
  if (signal === null) return process.exit(code ?? 1);
  for (const name of ENDINGS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
