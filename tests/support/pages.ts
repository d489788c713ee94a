/** Pages of the documentation as a test reads them: their headings and their blocks of code. */
const ROOT = new URL("../../", import.meta.url);
const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** The last line of prose before it. */
  readonly after: string;
}

/** A page by its path in this repository. */
export function readPage(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

export function codeBlocks(page: string): readonly CodeBlock[] {
  return [...page.matchAll(FENCE)].map(({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    after: page.slice(0, index).trimEnd().split("\n").at(-1) ?? "",
  }));
}

export interface PageSection {
  /** Without its marks. */
  readonly heading: string;
  /** Its prose, without blocks of code, up to the next heading of any level. */
  readonly prose: string;
}

export function sectionsOf(page: string): readonly PageSection[] {
  return page.replaceAll(FENCE, "").split(/^#+ /m).slice(1).map((text) => {
    const [heading = "", ...prose] = text.split("\n");
    return { heading, prose: prose.join("\n") };
  });
}

/** The fragment by which links reach a heading, as GitHub makes it. */
export function fragmentOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
