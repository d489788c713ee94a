/** Moves the files of the language's first implementation to their new places (definitions 1). */
import { dirname, join, normalize, relative } from "node:path/posix";
import { kebabCase } from "../../shared/surface/names.ts";
import { DraftError } from "./foreign_schema.ts";
import { specifierOf } from "./older_forms.ts";
import { nodesOf, withEdits } from "./source_edits.ts";

export type Files = Readonly<Record<string, string>>;

export interface Moved {
  readonly files: Files;
  /** Pairs of old path and new path; files that stay are left out. */
  readonly moves: readonly (readonly [from: string, to: string])[];
}

const CODE_FILE = /\.[cm]?[jt]sx?$/;
const ENDINGS = ["", ".ts", ".tsx", "/index.ts"];

/** Moves the files. Imports between files that move apart are rewritten. Two files for one place are refused. */
export function moveOlderLayout(files: Files): Moved {
  const paths = Object.keys(files);
  const taken = new Map<string, string>();
  for (const path of paths) {
    const target = placeOf(path);
    const other = taken.get(target);
    if (other !== undefined) {
      throw new DraftError(`${other} and ${path} are both to be ${target}: rename one of them`);
    }
    taken.set(target, path);
  }
  return {
    files: Object.fromEntries(paths.map((path) => [
      placeOf(path),
      CODE_FILE.test(path) ? withMovedImports(path, files) : files[path] ?? "",
    ])),
    moves: paths.map((path) => [path, placeOf(path)] as const).filter(([from, to]) => from !== to),
  };
}

/** Returns the new path. A file directly in `features/` gets its own folder, and folders are in kebab-case. */
function placeOf(path: string): string {
  if (path === "quickback.config.ts") return `quickback/${path}`;
  const inside = path.replace(/^(?:quickback\/)?definitions\//, "quickback/");
  const [, feature, rest] = /^quickback\/features\/([^/]+)(\/.+)?$/.exec(inside) ?? [];
  if (feature === undefined) return inside;
  const name = kebabCase(feature.replace(CODE_FILE, ""));
  if (rest === undefined) {
    return CODE_FILE.test(feature) ? `quickback/features/${name}/${name}.ts` : inside;
  }
  // The primary table is the file with the folder's name.
  const file = rest === `/${feature}.ts` ? `/${name}.ts` : rest;
  return `quickback/features/${name}${file}`;
}

function withMovedImports(path: string, files: Files): string {
  const text = files[path] ?? "";
  const edits = nodesOf(path, text).flatMap((node) => {
    const specifier = specifierOf(node);
    if (!specifier?.value.startsWith(".")) return [];
    const moved = movedSpecifier(specifier.value, path, files);
    if (moved === specifier.value) return [];
    return [{ start: (specifier.start ?? 0) + 1, end: (specifier.end ?? 0) - 1, text: moved }];
  });
  return withEdits(text, edits);
}

/** Returns the new specifier. One that names no file, such as `../schema`, depends on the folder's depth. */
function movedSpecifier(specifier: string, from: string, files: Files): string {
  const named = join(dirname(from), specifier);
  const ending = ENDINGS.find((one) => Object.hasOwn(files, normalize(named + one))) ?? "";
  const target = placeOf(named + ending);
  const bare = ending !== "" && target.endsWith(ending) ? target.slice(0, -ending.length) : target;
  if (dirname(placeOf(from)) === dirname(from) && bare === named) return specifier;
  const path = relative(dirname(placeOf(from)), bare);
  return path.startsWith(".") ? path : `./${path}`;
}
