/** Text that Markdown shows as it is, on one line. */
export function markdownText(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim().replace(
    /[\\`*_{}[\]<>()#+!|~&-]/g,
    "\\$&",
  );
}
