/** Reads `branding`: the appearance of a project's messages and pages, and the file of its logo (definitions 2). */
import { nearest } from "../../../../lib/nearest.ts";
import { type BrandingModel, LOGO_MAX_BYTES, type LogoModel } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions } from "../../values.ts";
import type { BrandingDraft } from "../config/branding.ts";
import type { Token } from "../read/reader.ts";
import { TEMPLATE_FOLDER } from "./email_templates.ts";

/** Returns the path of the logo's image; null if there is none. */
export function logoPath({ logo }: BrandingDraft): string | null {
  return logo === undefined ? null : TEMPLATE_FOLDER + logo.text;
}

/** Returns the branding without the keys that the project leaves out. */
export function brandingOf(
  draft: BrandingDraft,
  { carried }: Definitions,
  report: Report,
): { readonly branding?: BrandingModel } {
  const { logo: token, ...said } = draft;
  const logo = token === undefined ? null : readLogo(token, carried, report);
  const branding = { ...said, ...(logo === null ? {} : { logo }) };
  return Object.keys(branding).length === 0 ? {} : { branding };
}

const ENDING = /\.(?:svg|png)$/;

function readLogo(
  { text: name, place }: Token,
  carried: Definitions["carried"],
  report: Report,
): LogoModel | null {
  const content = carried.get(TEMPLATE_FOLDER + name);
  if (!ENDING.test(name)) {
    report.add("LOGO_INVALID", place, { name, why: "type" });
    return null;
  }
  if (content === undefined) {
    const known = [...carried.keys()].flatMap((path) =>
      path.startsWith(TEMPLATE_FOLDER) && ENDING.test(path)
        ? [path.slice(TEMPLATE_FOLDER.length)]
        : []
    );
    report.add("LOGO_MISSING", place, { name, form: null, nearest: nearest(name, known), known });
    return null;
  }
  const bytes = name.endsWith(".svg") ? new TextEncoder().encode(content) : pngBytes(content);
  const isImage = bytes !== null && (name.endsWith(".png") || SVG.test(content));
  const why = !isImage ? "content" : bytes.byteLength > LOGO_MAX_BYTES ? "size" : null;
  if (bytes === null || why !== null) {
    report.add("LOGO_INVALID", place, { name, why: why ?? "content" });
    return null;
  }
  return { type: name.endsWith(".svg") ? "image/svg+xml" : "image/png", data: bytes.toBase64() };
}

/** Matches an element `svg` with its namespace, after a declaration and comments. */
const SVG =
  /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg\b[^>]*\sxmlns=["']http:\/\/www\.w3\.org\/2000\/svg["'][^>]*>[^]*<\/svg>\s*$/;

const PNG = "data:image/png;base64,";
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Decodes a `data:` URL, the form of an image in a text (contract 4.8); null if the text is not a PNG. */
function pngBytes(content: string): Uint8Array | null {
  if (!content.startsWith(PNG)) return null;
  try {
    const bytes = Uint8Array.fromBase64(content.slice(PNG.length).trim());
    return PNG_SIGNATURE.every((byte, at) => bytes[at] === byte) ? bytes : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
