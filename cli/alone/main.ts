/**
 * Runs `deno task playground --build <folder>`, which writes the page that works without a server as a folder of plain files.
 */
import { buildAlone } from "./build_alone.ts";

const [option, folder, ...rest] = Deno.args;
if (option !== "--build" || folder === undefined || rest.length > 0) {
  console.error("Usage: deno task playground --build <folder>");
  Deno.exit(2);
}
const files = await buildAlone(folder);
console.log(`${folder}: ${files} files; any file server serves them`);
