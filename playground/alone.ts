/**
 * Builds the playground for a page without a server: returns the page's texts, including the compile host that the page reads.
 */
import { policy, STYLES } from "./server/page_files.ts";
export { hostText } from "./browser/alone/host_text.ts";

const FRAME = ["sandbox.html", "sandbox.js"];
/**
 * The page runs a project's code in a frame with its own policy. A policy in a page's text cannot restrict which sites may
 * frame the page.
 */
const FRAMED = ["frame-src 'self'"];

/** Returns the page's texts by file name. */
export async function pageText(): Promise<Readonly<Record<string, string>>> {
  const nonce = crypto.randomUUID();
  const index = (await text("index.html")).replace('content="%nonce%"', `content="${nonce}"`)
    .replace(
      '<meta charset="utf-8">',
      `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${
        policy(nonce, FRAMED)
      }">`,
    );
  const frame = await Promise.all(FRAME.map(async (name) => [name, await text(`alone/${name}`)]));
  return {
    "index.html": index,
    "page.css": (await Promise.all(STYLES.map(text))).join("\n"),
    ...Object.fromEntries(frame),
  };
}

function text(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`./browser/${name}`, import.meta.url));
}
