/**
 * The process in which a compiled project is asked everything twice: its author's code runs here, without a network, and not
 * in the command. Takes the output's folder and the file that its report goes to.
 */
import { checkOutput } from "./check_output.ts";

const [folder, file] = Deno.args;
if (folder === undefined || file === undefined) throw new Error("Name a folder and a file");
const report = await checkOutput(folder, { onPrincipal: (name) => console.log(name) });
await Deno.writeTextFile(file, JSON.stringify(report));
// What an author's module has started must not keep it alive.
Deno.exit(0);
