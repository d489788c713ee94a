/** A port: what calls back later. */
export interface Timer {
  /** Calls once, later; the function that it returns takes that back. */
  after(milliseconds: number, run: () => void): () => void;
}
