/** Texts formatted as TypeScript. */
/** Formats a string as a TypeScript literal with the quotes of `deno fmt`. */
export function typescriptString(value: string): string {
  const escaped = JSON.stringify(value).replace(
    INVISIBLE,
    (character) =>
      Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
        .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(""),
  );
  const doubles = value.split('"').length;
  const singles = value.split("'").length;
  if (doubles <= singles) return escaped;
  const inner = escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** Matches characters that are invisible or reorder text in an editor: controls, direction marks, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats a property's name, with quotes only where they are needed. */
export function typescriptProperty(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : typescriptString(name);
}

/** Formats a text as a one-line doc comment that the text cannot end. */
export function typescriptComment(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim().replaceAll("*/", "*\\/");
  return `/** ${line} */`;
}
