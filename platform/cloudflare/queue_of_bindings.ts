/** The edge platform's own queue, for workers that have one bound (contract 8; docs/guides/hosting.md). */
import type { Clock } from "../../shared/runtime/ports.ts";
import { type BindingQueue, bindingQueue, type QueueBinding } from "./binding_queue.ts";

const JOBS = "WEBHOOK_JOBS";
const DEAD_LETTERS = "WEBHOOK_DEAD_LETTERS";

/** Null: the worker has none, and jobs are in the database. Throws for one without the other. */
export function queueOfBindings(
  bindings: object,
  { clock }: { readonly clock: Clock },
): BindingQueue | null {
  const jobs = bindingOf(bindings, JOBS);
  const dead = bindingOf(bindings, DEAD_LETTERS);
  if (jobs === null && dead === null) return null;
  if (jobs === null || dead === null) {
    throw new Error(`Cannot start: queues need both bindings, ${JOBS} and ${DEAD_LETTERS}`);
  }
  return bindingQueue({ jobs, dead, clock });
}

function bindingOf(bindings: object, name: string): QueueBinding | null {
  const binding: unknown = Object.hasOwn(bindings, name) ? Reflect.get(bindings, name) : null;
  if (binding === null || binding === undefined) return null;
  if (isQueue(binding)) return binding;
  throw new Error(`Cannot start: ${name} must be bound to a queue`);
}

function isQueue(value: unknown): value is QueueBinding {
  return typeof value === "object" && value !== null && "sendBatch" in value &&
    typeof value.sendBatch === "function";
}
