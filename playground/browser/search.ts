/** Searches for the palette: a command or a file by letters of its name, a line by its text. */
import { type Choice, isLike } from "./palette.ts";
import type { WorkFile } from "./workspace.ts";

/** Minimum length of a text to search for: shorter texts occur in nearly every line. */
const TEXT_MIN = 2;

export function foundFiles(
  typed: string,
  files: readonly WorkFile[],
  open: (path: string, line: number) => void,
): readonly Choice[] {
  const named = files.filter(({ path }) => isLike(typed, path))
    .toSorted((a, b) => distance(typed, a.path) - distance(typed, b.path))
    .map(({ path }) => ({ title: nameOf(path), about: path, run: () => open(path, 1) }));
  return typed.length < TEXT_MIN ? named : [...named, ...foundLines(typed, files, open)];
}

export function foundCommands(typed: string, commands: readonly Choice[]): readonly Choice[] {
  return commands.filter(({ title }) => isLike(typed, title));
}

function foundLines(
  typed: string,
  files: readonly WorkFile[],
  open: (path: string, line: number) => void,
): readonly Choice[] {
  const wanted = typed.toLowerCase();
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      line.toLowerCase().includes(wanted)
        ? [{
          title: line.trim(),
          about: `${nameOf(path)}:${index + 1}`,
          run: () => open(path, index + 1),
        }]
        : []
    )
  );
}

/** Ranks a path: a name with the typed prefix comes before one that only contains the letters. */
function distance(typed: string, path: string): number {
  const at = nameOf(path).toLowerCase().indexOf(typed.toLowerCase());
  return at < 0 ? path.length + 100 : at;
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}
