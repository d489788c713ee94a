/** A timer of the platform: the runtime itself waits for nothing. */
export interface Timer {
  /** Calls once, later; the function that it returns takes that back. */
  after(milliseconds: number, run: () => void): () => void;
}
