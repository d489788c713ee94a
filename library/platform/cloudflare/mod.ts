/** Adapters of an edge worker for the ports of a generated API. None uses a file system or a native addon. */
export { consoleLogger } from "../console_logger.ts";
export { systemClock } from "../system.ts";
export { systemRandomness } from "../system.ts";
export { dohResolver } from "../webhooks/doh_resolver.ts";
export {
  type BindingQueue,
  bindingQueue,
  type BindingQueueOptions,
  type MessageBatch,
  type QueueBinding,
  type QueueMessage,
} from "./bindings.ts";
export { bindingRateLimiter } from "./bindings.ts";
export { noDialer } from "./serve_worker.ts";
export { queueOfBindings } from "./bindings.ts";
export { workerTimer } from "./serve_worker.ts";
export { openWorkerDatabase } from "./serve_worker.ts";
export { readWorkerEnvironment, type WorkerEnvironment } from "./serve_worker.ts";
export { type Background, serveWorker, type WorkerApi } from "./serve_worker.ts";
