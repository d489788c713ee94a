/** A timer of the platform: the runtime itself never waits. */
export interface Timer {
  /** Runs the function once, later; the returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}
