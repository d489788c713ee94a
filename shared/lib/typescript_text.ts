/** Texts as TypeScript.
 */
/** A string as a TypeScript literal, quoted as `deno fmt` would quote it. */
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

/** Characters that are invisible or reorder text in an editor: controls, direction marks, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A property's name as TypeScript: quoted only where it must be. */
export function typescriptProperty(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : typescriptString(name);
}

/** Text as a one-line doc comment that nothing in it can end. */
export function typescriptComment(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim().replaceAll("*/", "*\\/");
  return `/** ${line} */`;
}
