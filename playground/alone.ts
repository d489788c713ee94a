/** The playground's face for a page without a server: its texts, and the compiler's host as that page reads it. */
import { policy, STYLES } from "./server/page_files.ts";
export { hostText } from "./browser/alone/host_text.ts";

const FRAME = ["sandbox.html", "sandbox.js"];
/** A project's code runs in a frame with a policy of its own. A policy in a page's text cannot say who may hold the page. */
const FRAMED = ["frame-src 'self'"];

/** By name. */
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
