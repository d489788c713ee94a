/**
 * Runs the process that calls every route of a compiled project once. Its arguments are the output's folder and the file for
 * its recording.
 */
import { recordOutput } from "./record_output.ts";
import { recordingLine } from "./recording_file.ts";

const [folder, file] = Deno.args;
if (folder === undefined || file === undefined) throw new Error("Name a folder and a file");
using recording = await Deno.open(file, { write: true, create: true });
const writer = recording.writable.getWriter();
const encoder = new TextEncoder();
await recordOutput(folder, {
  principal: (name) => console.log(name),
  request: (request) => writer.write(encoder.encode(recordingLine(request))),
});
await writer.close();
// Timers and listeners that an author's module has started must not keep the process alive.
Deno.exit(0);
