/**
 * Runs the process that sends every request to a compiled project twice. The author's code runs here, without a network, and
 * not in the command. Its arguments are the output's folder and the file for its report.
 */
import { checkOutput } from "./check_output.ts";

const [folder, file] = Deno.args;
if (folder === undefined || file === undefined) throw new Error("Name a folder and a file");
const report = await checkOutput(folder, { onPrincipal: (name) => console.log(name) });
await Deno.writeTextFile(file, JSON.stringify(report));
// Timers and listeners that an author's module has started must not keep the process alive.
Deno.exit(0);
