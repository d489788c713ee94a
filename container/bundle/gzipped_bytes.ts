/** Bytes of the texts when they are compressed together, as platforms count an upload. */
export async function gzippedBytes(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<number> {
  let bytes = 0;
  const packed = new Blob([...chunks]).stream().pipeThrough(new CompressionStream("gzip"));
  for await (const chunk of packed) bytes += chunk.byteLength;
  return bytes;
}
