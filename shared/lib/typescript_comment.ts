/** Text as a one-line doc comment that nothing in it can end. */
export function typescriptComment(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim().replaceAll("*/", "*\\/");
  return `/** ${line} */`;
}
