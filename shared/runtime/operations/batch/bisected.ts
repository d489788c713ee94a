/** One write for many records, of which a constraint may refuse some (contract 4.1 rule 6, "one bulk insert"). */
import { ConstraintError } from "../../ports.ts";

interface Bisection<Part> {
  /** All of them or none: what it wrote is undone when a constraint refuses it. */
  readonly attempt: (parts: readonly Part[]) => Promise<void>;
  /** A record that is refused alone. */
  readonly refused: (part: Part, error: ConstraintError) => void;
}

/** One attempt when nothing is refused; else each half by itself, the first one first, so that earlier records win. */
export async function bisected<Part>(
  parts: readonly Part[],
  bisection: Bisection<Part>,
): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  try {
    await bisection.attempt(parts);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    if (parts.length === 1) return bisection.refused(first, error);
    const middle = Math.ceil(parts.length / 2);
    await bisected(parts.slice(0, middle), bisection);
    await bisected(parts.slice(middle), bisection);
  }
}
