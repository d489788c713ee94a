/** The steps that an operation takes, reported as it takes them: held against `surface/layer_order` by tests. */
import type { Step } from "../surface/layer_order.ts";

/** Null in production: entering a step then costs one comparison. */
export type Trace = ((requestId: string, step: Step) => void) | null;
