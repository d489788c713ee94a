/** The code whose mistakes leak or let in, and the tests that judge it from inside their own process. */

/** Files and folders below which every module is mutated. */
export const SECURITY_MODULES: readonly string[] = [
  "shared/runtime/gate.ts",
  "shared/runtime/layers",
  "shared/runtime/data/scoped_db",
  "shared/runtime/data/comparisons.ts",
  "shared/runtime/data/changes/related_rows.ts",
  "shared/runtime/data/conditions.ts",
  "shared/runtime/data/judged_rows.ts",
  "shared/runtime/data/delete_rows.ts",
  "shared/runtime/data/within.ts",
  "shared/runtime/operations/judge_record.ts",
  "shared/runtime/records/judge_written.ts",
  "shared/runtime/records/references.ts",
  "shared/runtime/request/cursor_seal.ts",
  "shared/runtime/request/read_request.ts",
  "shared/runtime/response/refused.ts",
  "shared/runtime/destination",
  "shared/surface/admission.ts",
  "shared/surface/row_predicate.ts",
  "shared/surface/writable.ts",
  "shared/model/access.ts",
];

/** Folders of tests that run the modules above in their own process. */
export const JUDGING_TESTS: readonly string[] = [
  "tests/unit/accounts",
  "tests/unit/conformance",
  "tests/unit/data",
  "tests/unit/realtime",
  "tests/unit/runtime",
  "tests/unit/scoped_db",
  "tests/unit/surface",
  "tests/unit/webhooks",
  "tests/contract",
  "tests/differential",
];

/** Tests in those folders whose subject is another: the build service, processes that are killed. */
export const OTHER_TESTS = /section_04_08_|section_05_09_|random_requests|kill_test|redeliver/;
