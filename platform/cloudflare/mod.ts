/** Adapters of an edge worker behind the ports of a generated API: none reaches a file system or a native addon. */
export { consoleLogger } from "../console_logger.ts";
export { systemClock } from "../system_clock.ts";
export { systemRandomness } from "../system_randomness.ts";
export { dohResolver } from "../webhooks/doh_resolver.ts";
export {
  type BindingQueue,
  bindingQueue,
  type BindingQueueOptions,
  type MessageBatch,
  type QueueBinding,
  type QueueMessage,
} from "./binding_queue.ts";
export { bindingRateLimiter } from "./binding_rate_limiter.ts";
export { noDialer } from "./no_dialer.ts";
export { queueOfBindings } from "./queue_of_bindings.ts";
export { workerTimer } from "./worker_timer.ts";
export { openWorkerDatabase } from "./worker_database.ts";
export { readWorkerEnvironment, type WorkerEnvironment } from "./read_worker_environment.ts";
export { type Background, serveWorker, type WorkerApi } from "./serve_worker.ts";
